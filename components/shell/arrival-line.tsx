'use client'

import Check from 'lucide-react/icons/check'
import { useTranslations } from '../context/translations.tsx'
import { useArrivalText, useCredits, useOnTheWay } from './use-arrivals.ts'
import { useChosenCurrency } from '../currency-picker/chosen-currency.tsx'

/** Below the balance: an amount on its way, which the balance does not include yet, and an amount just credited. */
export function ArrivalLine() {
  const { t, decimal } = useTranslations()
  const chosen = useChosenCurrency()
  const currency = chosen.state === 'ready' ? chosen.currency : null
  const text = useArrivalText(currency)
  const isOfCurrency = ({ code, network }: { readonly code: string; readonly network: string }): boolean =>
    code === currency?.currency_code && network === currency.network
  const coming = useOnTheWay().find(isOfCurrency)
  const credited = useCredits().find(isOfCurrency)
  return (
    <>
      {coming && (
        <p className="text-xs wrap-anywhere text-ink-2" data-testid="on-the-way">
          {t('shell.onTheWay', { amount: `${decimal(coming.amount)} ${coming.code}` })}
        </p>
      )}
      {credited && (
        <p className="flex items-center gap-1 text-xs font-semibold text-ok" data-testid="credited">
          <Check aria-hidden size={14} strokeWidth={2.6} className="shrink-0" />
          <span className="min-w-0 wrap-anywhere">{text('deposit.credited', credited)}</span>
        </p>
      )}
    </>
  )
}
