'use client'

import CircleCheck from 'lucide-react/icons/circle-check'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { onTheWay } from '#lib/browser/arrivals.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { useArrivalText, useCredits, useSessionDeposits } from '../shell/use-arrivals.ts'
import { fitting } from '../ui/amount.tsx'

const BAR = 'notice flex items-center gap-2.5 rounded-small px-3.5 py-3 font-semibold'

/** Detected and credited deposits, above the address, where the user looks while waiting. */
export function ArrivalsBar({ currency }: { readonly currency: Currency }) {
  const text = useArrivalText(currency)
  const { decimal } = useTranslations()
  const coming = onTheWay(useSessionDeposits())
  const credited = useCredits()
  if (coming.length === 0 && credited.length === 0) return null
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2" data-testid="arrivals">
      {coming.map((one) => (
        <li key={text('deposit.detected', one)} className={`${BAR} bg-accent-soft text-accent`}>
          <LoaderCircle aria-hidden size={18} className="turning shrink-0" />
          <span className="@container min-w-0 grow wrap-anywhere">
            <span className={fitting(decimal(one.amount))}>{text('deposit.detected', one)}</span>
          </span>
        </li>
      ))}
      {credited.map((one) => (
        <li key={text('deposit.credited', one)} className={`${BAR} bg-ok-soft text-ok`}>
          <CircleCheck aria-hidden size={18} className="shrink-0" />
          <span className="@container min-w-0 grow wrap-anywhere">
            <span className={fitting(decimal(one.amount))}>{text('deposit.credited', one)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
