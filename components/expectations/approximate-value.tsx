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
  /** In signs, on two lines, neither of which breaks. */
  readonly inSigns?: boolean
}

/** "About 12.34 USD, rate of 14:05", or "≈ 12.34 USD" above "14:05"; nothing without a rate. */
export function ApproximateValue({ of, ...valued }: Valued & { readonly of: CurrencyName }) {
  const later = useLaterTranslations()
  const rate = useExpectation(of)?.rate
  if (later === null || rate === undefined) return null
  return <KnownValue rate={rate} later={later} {...valued} />
}

const Line = ({ children }: { readonly children: ReactNode }) => (
  <span className="block whitespace-nowrap">{children}</span>
)

/** The same with a known rate. */
export function KnownValue({
  amount,
  inSigns = false,
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
  return (
    <span translate="no" data-testid="approximate-value" className={fitting(`${usd} USD`)}>
      {inSigns ? (
        <>
          <Line>
            <bdi dir="ltr">
              {worth.isLess ? '<' : '≈'} {usd} USD
            </bdi>
          </Line>
          <Line>{time}</Line>
        </>
      ) : (
        later.t(worth.isLess ? 'value.less' : 'value.about', { amount: usd, time })
      )}
    </span>
  )
}
