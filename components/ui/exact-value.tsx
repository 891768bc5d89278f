'use client'

import { withFiatDigits } from '#lib/i18n/fiat-digits.ts'
import { shortDecimal } from '#lib/i18n/short-decimal.ts'
import { useTranslations } from '../context/translations.tsx'

/** " · 12.34 USD": the gateway's value of a transaction, at the end of a line. */
export function ExactValue({ usd }: { readonly usd: string }) {
  const { t, decimal } = useTranslations()
  const amount = decimal(withFiatDigits(shortDecimal(usd).value, 'USD'))
  return <span translate="no" data-testid="value">{` · ${t('details.valueUsd', { amount })}`}</span>
}
