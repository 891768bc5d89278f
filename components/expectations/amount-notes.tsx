'use client'

import type { TypedAmount } from '#lib/i18n/typed-amount.ts'
import { decimal as asDecimal } from '#lib/contract/money.ts'
import { useTranslations } from '../context/translations.tsx'
import { KnownValue } from './approximate-value.tsx'
import { brokenLimit, limitsText } from './limits.ts'
import { useExpectation, useLaterTranslations, type CurrencyName } from './use-expectations.ts'

/** Below the amount of a withdrawal: limits and fee, a limit that it breaks, and what it is worth. */
export default function AmountNotes({
  id,
  of,
  read,
}: {
  readonly id: string
  readonly of: CurrencyName
  readonly read: TypedAmount
}) {
  const { decimal } = useTranslations()
  const later = useLaterTranslations()
  const expectation = useExpectation(of)
  if (later === null || expectation === undefined) return null
  const { withdrawal, rate } = expectation
  const { min, max, fee } = withdrawal
  const { code } = of
  const amount = read.state === 'amount' ? asDecimal(read.decimal) : null
  const broken = amount === null ? null : brokenLimit(withdrawal, amount)
  const limits = limitsText(withdrawal)
  const values = { min: decimal(min ?? ''), max: decimal(max ?? ''), fee: decimal(fee ?? ''), code }
  if (limits === null && fee === undefined && rate === undefined) return null
  return (
    <div className="-mt-2 grid grid-cols-[minmax(0,1fr)] gap-0.5 text-s text-ink-2" data-testid="amount-notes">
      {(limits !== null || fee !== undefined) && (
        <p id={id} aria-live="polite">
          {broken === null ? (
            limits !== null && <span>{later.t(limits, values)} </span>
          ) : (
            <span className="text-bad">{later.t(broken, values)} </span>
          )}
          {fee !== undefined && <span>{later.t('limits.fee', values)}</span>}
        </p>
      )}
      {rate !== undefined && (
        <p className="min-h-5">{amount !== null && <KnownValue amount={amount} rate={rate} later={later} />}</p>
      )}
    </div>
  )
}
