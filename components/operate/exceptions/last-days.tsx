'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lastDaysQuery } from '#lib/browser/operate/exceptions.ts'
import type { Counted, CurrencyDays } from '#lib/contract/operate/exceptions.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { CurrencyLabel, ownZone } from './day-numbers.tsx'

const KINDS = ['deposits', 'withdrawals', 'purchases'] as const

/** Small charts of what succeeded on the last days, by currency; nothing if nothing did. */
export function LastDays() {
  const { t } = useConsoleText()
  const [zone] = useState(ownZone)
  const { data, error, refetch } = useQuery(lastDaysQuery(useConsoleClient(), zone))
  if (data === undefined) return error !== null && <LoadingFailure error={error} retry={() => void refetch()} />
  if (data.currencies.length === 0) return null
  const format = new Intl.DateTimeFormat('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: zone })
  const days = data.days.map((iso) => format.format(new Date(iso)))
  return (
    <section className="mt-8" aria-labelledby="last-days">
      <h2 id="last-days" className="mb-3 text-l font-semibold">
        {t('days.title')}
      </h2>
      <ul className="grid gap-3 xl:grid-cols-2">
        {data.currencies.map((currency) => (
          <li
            key={`${currency.currency_code} ${currency.network}`}
            className="min-w-0 rounded-card border border-line bg-surface px-4 py-3"
          >
            <h3 className="font-semibold">
              <CurrencyLabel of={currency} />
            </h3>
            <div className="mt-2 grid items-end gap-4 sm:grid-cols-3">
              {KINDS.map((kind) => (
                <Chart key={kind} what={t(`day.${kind}`)} currency={currency} values={currency[kind]} days={days} />
              ))}
            </div>
            <Table currency={currency} days={days} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const [WIDTH, HEIGHT, BAR, STEP] = [133, 40, 13, 20]

/** The heights of the bars, for the eye alone: a sum has more digits than a number of JavaScript. */
function heightsOf(values: readonly Counted[]): readonly number[] {
  const sums = values.map(({ sum }) => Number(sum))
  const most = Math.max(...sums)
  return sums.map((sum) => (sum > 0 ? Math.max(2, (sum / most) * HEIGHT) : 0))
}

/** Bars, one for each day. Each says its value where a pointer rests; together they have it as their name. */
function Chart({
  what,
  currency: { currency_code, network },
  values,
  days,
}: {
  readonly what: string
  readonly currency: CurrencyDays
  readonly values: readonly Counted[]
  readonly days: readonly string[]
}) {
  const { t, decimal } = useConsoleText()
  const heights = heightsOf(values)
  const highest = values.reduce((best, value) => (Number(value.sum) > Number(best.sum) ? value : best))
  const textOf = ({ sum, count }: Counted, day: number): string =>
    t('days.value', { day: days[day] ?? '', sum: decimal(sum), count })
  const name = t('days.chart', {
    what,
    currency: `${currency_code} ${network}`,
    values: values.map(textOf).join('; '),
  })
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap justify-between gap-x-2 text-xs text-ink-2">
        <span>{what}</span>
        <span className="min-w-0 tabular-nums">
          {highest.count === 0 ? t('days.nothing') : t('days.highest', { sum: decimal(highest.sum) })}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={name}
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT + 1)}`}
        preserveAspectRatio="none"
        className="mt-1 h-10 w-full fill-accent"
      >
        <rect y={HEIGHT} width={WIDTH} height={1} className="fill-line" />
        {heights.map((height, day) => (
          <rect key={day} x={day * STEP} y={HEIGHT - height} width={BAR} height={height} rx={1}>
            <title>{textOf(values[day] ?? highest, day)}</title>
          </rect>
        ))}
      </svg>
    </figure>
  )
}

/** The same in digits. */
function Table({ currency, days }: { readonly currency: CurrencyDays; readonly days: readonly string[] }) {
  const { t } = useConsoleText()
  return (
    <details className="mt-2 text-s">
      <summary className="min-h-6 cursor-pointer text-ink-2">{t('days.table')}</summary>
      <div className="mt-1 overflow-x-auto" role="group" tabIndex={0} aria-label={t('days.table')}>
        <table className="w-full">
          <thead className="text-xs text-ink-2">
            <tr className="border-b border-line">
              <th scope="col" className="py-1 pe-3 text-start font-medium">
                {t('days.day')}
              </th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col" className="py-1 ps-3 text-end font-medium">
                  {t(`day.${kind}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day} className="border-line not-last:border-b">
                <th scope="row" className="py-1 pe-3 text-start font-normal whitespace-nowrap">
                  {day}
                </th>
                {KINDS.map((kind) => (
                  <td key={kind} className="py-1 ps-3 text-end">
                    <AmountText amount={currency[kind][index]?.sum ?? '0'} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
