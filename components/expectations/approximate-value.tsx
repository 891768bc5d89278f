'use client'

import type { ReactNode } from 'react'
import type { Rate } from '#lib/contract/cashier.ts'
import { decimal as asDecimal, isDecimal } from '#lib/contract/money.ts'
import { worthOf } from '#lib/contract/worth.ts'
import { dayKey } from '#lib/i18n/time-format.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useConnectionState } from '../context/page-runtime.tsx'
import { useTranslations, type Translations } from '../context/translations.tsx'
import { fitting } from '../ui/amount.tsx'
import { useTimeText, useZone } from '../ui/time.tsx'
import { useExpectation, useLaterTranslations, type CurrencyName } from './use-expectations.ts'

interface Valued {
  readonly amount: string
  /** On two lines, neither of which breaks. */
  readonly onTwoLines?: boolean
}

/** "About 12.34 USD, 14:05"; nothing without a rate. */
export function ApproximateValue({ of, ...valued }: Valued & { readonly of: CurrencyName }) {
  const later = useLaterTranslations()
  const rate = useExpectation(of)?.rate
  if (later === null || rate === undefined) return null
  return <KnownValue rate={rate} later={later} {...valued} />
}

const ownLine = (children: ReactNode): ReactNode => <span className="block whitespace-nowrap">{children}</span>
const unchanged = (children: ReactNode): ReactNode => children

/** The same with a known rate. */
export function KnownValue({
  amount,
  onTwoLines = false,
  rate,
  later,
}: Valued & {
  readonly rate: Rate
  readonly later: Translations<LaterKey>
}) {
  const { decimal } = useTranslations()
  const timeText = useTimeText()
  const zone = useZone()
  const { checkedAt } = useConnectionState()
  const worth = isDecimal(amount) && isDecimal(rate.usd) ? worthOf(amount, asDecimal(rate.usd)) : null
  if (worth === null) return null
  const isToday = dayKey(rate.at, zone) === dayKey(checkedAt, zone)
  const time = timeText(rate.at, isToday ? 'time' : 'date-time')
  const usd = decimal(worth.usd)
  const values = { amount: usd, time, line: onTwoLines ? ownLine : unchanged }
  return (
    <span translate="no" data-testid="approximate-value" className={fitting(usd)}>
      {later.rich(worth.isLess ? 'value.less' : 'value.about', values)}
    </span>
  )
}
