'use client'

import type { Rate } from '#lib/contract/cashier.ts'
import { decimal as asDecimal, isDecimal } from '#lib/contract/money.ts'
import { worthOf } from '#lib/contract/worth.ts'
import { dayKey } from '#lib/i18n/time-format.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useTranslations, type Translations } from '../context/translations.tsx'
import { useTimeText, useZone } from '../ui/time.tsx'
import { useExpectation, useLaterTranslations, type CurrencyName } from './use-expectations.ts'

/** "about 12.34 USD, 14:05"; nothing without a rate. */
export function ApproximateValue({ amount, of }: { readonly amount: string; readonly of: CurrencyName }) {
  const later = useLaterTranslations()
  const rate = useExpectation(of)?.rate
  if (later === null || rate === undefined) return null
  return <KnownValue amount={amount} rate={rate} later={later} />
}

/** The same with a known rate. */
export function KnownValue({
  amount,
  rate,
  later,
}: {
  readonly amount: string
  readonly rate: Rate
  readonly later: Translations<LaterKey>
}) {
  const { decimal } = useTranslations()
  const timeText = useTimeText()
  const zone = useZone()
  const worth = isDecimal(amount) && isDecimal(rate.usd) ? worthOf(amount, asDecimal(rate.usd)) : null
  if (worth === null) return null
  const isToday = dayKey(rate.at, zone) === dayKey(new Date().toISOString(), zone)
  const time = timeText(rate.at, isToday ? 'time' : 'date-time')
  return (
    <span translate="no" data-testid="approximate-value">
      {later.t(worth.isLess ? 'value.less' : 'value.about', { amount: decimal(worth.usd), time })}
    </span>
  )
}
