'use client'

import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { dayNumbersQuery } from '#lib/browser/operate/exceptions.ts'
import type { Counted, CurrencyNumbers, DayReply } from '#lib/contract/operate/exceptions.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleSettings } from '../context/settings.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { TimeText } from '../ui/time-text.tsx'

/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** The numbers of the day, by currency. */
export function DayNumbers() {
  const { t } = useConsoleText()
  const [zone] = useState(ownZone)
  const { data, error, refetch } = useQuery(dayNumbersQuery(useConsoleClient(), zone))
  return (
    <section className="mt-8" aria-labelledby="day">
      <h2 id="day" className="mb-3 text-l font-semibold">
        {t('day.title')}
      </h2>
      {data === undefined ? (
        error !== null && <LoadingFailure error={error} retry={() => void refetch()} />
      ) : data.currencies.length === 0 ? (
        <EmptyState title={t('day.none')}>{t('day.noneHelp')}</EmptyState>
      ) : (
        <>
          <Numbers day={data} />
          <Notes day={data} />
        </>
      )}
    </section>
  )
}

interface Column {
  readonly id: string
  readonly name: string
  readonly cell: (numbers: CurrencyNumbers) => ReactNode
}

/** The list of a number, below `/operate`. */
const listOf = (list: string, filters: Readonly<Record<string, string>>): string =>
  pageHref(`/${list}?${new URLSearchParams(filters)}`)

/** The withdrawals that hold amounts of a currency. */
const openOf = ({ currency_code: currency, network }: CurrencyNumbers): string =>
  listOf('withdrawals', { show: 'open', currency, network })

function useColumns({ from, totals_at: taken }: DayReply): readonly Column[] {
  const { t } = useConsoleText()
  const { embedded } = useConsoleSettings()
  const succeeded = ({ currency_code: currency, network }: CurrencyNumbers) => ({
    status: 'succeeded',
    currency,
    network,
    from,
  })
  const movements: readonly Column[] = [
    {
      id: 'deposits',
      name: t('day.deposits'),
      cell: (of) => <Sum of={of.deposits} href={listOf('transactions', { kind: 'deposit', ...succeeded(of) })} />,
    },
    {
      id: 'withdrawals',
      name: t('day.withdrawals'),
      cell: (of) => <Sum of={of.withdrawals} href={listOf('withdrawals', succeeded(of))} />,
    },
    {
      id: 'purchases',
      name: t('day.purchases'),
      cell: (of) => <Sum of={of.purchases} href={listOf('transactions', { kind: 'onramp', ...succeeded(of) })} />,
    },
  ]
  if (!embedded) return movements
  if (taken === null)
    return [
      ...movements,
      { id: 'balances', name: t('day.balances'), cell: NotYet },
      { id: 'held', name: t('day.held'), cell: NotYet },
      { id: 'gateway', name: t('day.gateway'), cell: NotYet },
    ]
  return [
    ...movements,
    { id: 'balances', name: t('day.balances'), cell: (of) => <Amount amount={of.balances} /> },
    { id: 'held', name: t('day.held'), cell: (of) => <Amount amount={of.held} href={openOf(of)} /> },
    { id: 'gateway', name: t('day.gateway'), cell: (of) => <AtGateway of={of} /> },
  ]
}

/** A table where there is room for it, else one card for each currency. */
function Numbers({ day }: { readonly day: DayReply }) {
  const { t } = useConsoleText()
  const columns = useColumns(day)
  return (
    <>
      <div className="hidden overflow-x-auto rounded-card border border-line bg-surface lg:block">
        <table className="w-full text-s">
          <caption className="sr-only">{t('day.title')}</caption>
          <thead className="text-start text-xs text-ink-2">
            <tr className="border-b border-line">
              <th scope="col" className="px-4 py-2 text-start font-medium">
                {t('day.currency')}
              </th>
              {columns.map(({ id, name }) => (
                <th key={id} scope="col" className="px-3 py-2 text-end font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {day.currencies.map((numbers) => (
              <tr key={keyOf(numbers)} className="border-line align-top not-last:border-b">
                <th scope="row" className="px-4 py-2.5 text-start font-semibold">
                  <CurrencyLabel of={numbers} />
                </th>
                {columns.map(({ id, cell }) => (
                  <td key={id} className="px-3 py-2.5 text-end">
                    {cell(numbers)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="grid gap-3 lg:hidden">
        {day.currencies.map((numbers) => (
          <li key={keyOf(numbers)} className="rounded-card border border-line bg-surface px-4 py-3">
            <h3 className="font-semibold">
              <CurrencyLabel of={numbers} />
            </h3>
            <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-s">
              {columns.map(({ id, name, cell }) => (
                <div key={id} className="contents">
                  <dt className="text-ink-2">{name}</dt>
                  <dd className="text-end">{cell(numbers)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

const keyOf = ({ currency_code, network }: Pick<CurrencyNumbers, 'currency_code' | 'network'>): string =>
  `${currency_code} ${network}`

export const CurrencyLabel = ({ of }: { readonly of: Pick<CurrencyNumbers, 'currency_code' | 'network'> }) => (
  <span translate="no">
    {of.currency_code} <span className="text-xs font-normal text-ink-2">{of.network}</span>
  </span>
)

const Nothing = () => <span className="text-ink-3">0</span>

/** Nobody has added it up yet: the note below says so. */
const NotYet = () => <span className="text-ink-3">–</span>

/** How many, and how much together. */
function Sum({ of, href }: { readonly of: Counted; readonly href: string }) {
  const { t } = useConsoleText()
  if (of.count === 0) return <Nothing />
  return (
    <ConsoleLink href={href} className="text-accent underline-offset-2 hover:underline">
      <AmountText amount={of.sum} />
      <span className="block text-xs text-ink-2">{t('day.count', { count: of.count })}</span>
    </ConsoleLink>
  )
}

function Amount({ amount, href }: { readonly amount: string | null; readonly href?: string }) {
  if (amount === null || amount === '0') return <Nothing />
  if (href === undefined) return <AmountText amount={amount} />
  return (
    <ConsoleLink href={href} className="text-accent underline-offset-2 hover:underline">
      <AmountText amount={amount} />
    </ConsoleLink>
  )
}

/** What the gateway says, and how many users' lists say something else than the books. */
function AtGateway({ of }: { readonly of: CurrencyNumbers }) {
  const { t } = useConsoleText()
  return (
    <>
      <Amount amount={of.gateway} />
      {of.gateway !== of.ledger && of.ledger !== null && (
        <span className="block text-xs text-ink-2">
          {t('day.byBooks')} <AmountText amount={of.ledger} />
        </span>
      )}
      {of.differing > 0 && (
        <ConsoleLink
          href={pageHref('/quarantine?reason=totals_differ')}
          className="block text-xs text-bad underline-offset-2 hover:underline"
        >
          {t('day.differing', { count: of.differing })}
        </ConsoleLink>
      )}
    </>
  )
}

function Notes({ day }: { readonly day: DayReply }) {
  const { t, rich, decimal } = useConsoleText()
  const { embedded } = useConsoleSettings()
  const { totals_at: taken, uncounted, uncompared, uncompared_more: more } = day
  return (
    <ul className="mt-2 grid gap-0.5 text-s text-ink-2">
      <li>{t('day.zone', { zone: day.time_zone })}</li>
      {uncounted > 0 && <li>{t('day.uncounted', { count: uncounted })}</li>}
      {embedded && taken === null && <li>{t('day.notTaken')}</li>}
      {embedded && taken !== null && <li>{rich('day.taken', { time: () => <TimeText iso={taken} /> })}</li>}
      {embedded && uncompared > 0 && (
        <li>
          {more
            ? t('day.uncomparedMore', { count: decimal(String(uncompared)) })
            : t('day.uncompared', { count: uncompared })}
        </li>
      )}
    </ul>
  )
}
