'use client'

import { useTranslations } from '../context/translations.tsx'
import { Amount } from '../ui/amount.tsx'
import { Notice } from '../ui/tone.tsx'
import { KnownValue } from './approximate-value.tsx'
import { afterFee } from './limits.ts'
import { useKnownAtFirst, type CurrencyName } from './use-expectations.ts'
import { usualTimeText } from './usual-time.tsx'

interface Asked {
  readonly amount: string
  readonly of: CurrencyName
}

/** Under the amount of the review: what it is worth. */
export function ReviewValue({ amount, of }: Asked) {
  const { later, expectation } = useKnownAtFirst(of)
  if (later === null || expectation?.rate === undefined) return null
  return (
    <p className="text-s text-ink-2">
      <KnownValue amount={amount} rate={expectation.rate} later={later} />
    </p>
  )
}

/** Fee, what arrives, and how long it usually takes. */
export function ReviewNotes({ amount, of }: Asked) {
  const { decimal } = useTranslations()
  const { later, expectation } = useKnownAtFirst(of)
  if (later === null || expectation === undefined) return null
  const { withdrawal } = expectation
  const { fee, time } = withdrawal
  const left = afterFee(withdrawal, amount)
  return (
    <>
      {fee !== undefined && left !== null && left !== 'nothing' && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-3.5 text-s" data-testid="review-fee">
          <dt className="text-ink-2">{later.t('limits.feeName')}</dt>
          <dd className="text-end">
            <Amount value={fee} code={of.code} />
          </dd>
          <dt className="text-ink-2">{later.t('limits.arrives')}</dt>
          <dd className="text-end font-semibold">
            <Amount value={left} code={of.code} />
          </dd>
        </dl>
      )}
      {fee !== undefined && left === 'nothing' && (
        <Notice tone="bad" role="alert">
          {later.t('limits.nothingLeft', { fee: decimal(fee), code: of.code })}
        </Notice>
      )}
      {time !== undefined && (
        <p className="px-3.5 text-s text-ink-2" data-testid="usual-time">
          {usualTimeText(time, later)}
        </p>
      )}
    </>
  )
}
