'use client'

import { isNetworkName } from '#lib/browser/currency-name.ts'
import { useTranslations } from './translations.tsx'

/** The name of a currency with its network: "Tether USD on Tron", or "Bitcoin" if both names are the same. */
export function useNameOnNetwork(): (name: string, network: string) => string {
  const { t } = useTranslations()
  return (name, network) => (isNetworkName(name, network) ? name : t('currency.nameOn', { name, network }))
}
