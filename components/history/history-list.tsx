'use client'

import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import CircleDot from 'lucide-react/icons/circle-dot'
import CreditCard from 'lucide-react/icons/credit-card'
import { historyDays, type HistoryDay, type HistoryRow } from '#lib/browser/history-rows.ts'
import type { TransactionKind } from '#lib/browser/transaction-status.ts'
import { useWords } from '../shell/words.tsx'
import { Amount } from '../ui/amount.tsx'
import { Time, useZone } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'
import { useDayName, useRowName } from './row-words.ts'

const SIGNS: Readonly<Record<TransactionKind, typeof ArrowDown>> = {
  deposit: ArrowDown,
  payout: ArrowUp,
  onramp: CreditCard,
}

export function HistoryList({
  rows,
  onNear,
  onOpen,
}: {
  readonly rows: readonly HistoryRow[]
  readonly onNear: () => void
  readonly onOpen: (row: HistoryRow) => void
}) {
  const days = historyDays(rows, useZone())
  return (
    <div data-testid="history" onPointerEnter={onNear} onFocus={onNear} className="grid gap-3">
      {days.map((day) => (
        <Day key={day.day} day={day} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Day({ day, onOpen }: { readonly day: HistoryDay; readonly onOpen: (row: HistoryRow) => void }) {
  const name = useDayName()(day)
  return (
    <section>
      <h2 className="text-xs font-semibold text-ink-2" suppressHydrationWarning>
        {name}
      </h2>
      <ul>
        {day.rows.map((row) => (
          <li key={row.key} className="border-b border-line last:border-0">
            <Row row={row} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ row, onOpen }: { readonly row: HistoryRow; readonly onOpen: (row: HistoryRow) => void }) {
  const { t, decimal } = useWords()
  const { node, kind, money, paid, look } = row
  const Sign = kind ? SIGNS[kind] : CircleDot
  return (
    <button
      type="button"
      data-testid="transaction"
      aria-haspopup="dialog"
      onClick={() => onOpen(row)}
      className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-3 rounded-small px-2 py-2.5 text-start hover:bg-sunken"
    >
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-2">
        <Sign size={18} />
      </span>
      <span className="max-w-[70%] min-w-min flex-1 basis-24">
        <b className="block font-semibold">{useRowName()(row)}</b>
        <span className="block text-s text-ink-2">
          <Time iso={node.inserted_at} style="time" /> · {node.currency.network}
          {paid && <> · {t('history.paid', { amount: decimal(paid.value), currency: paid.code })}</>}
        </span>
      </span>
      <span className="grid max-w-[62%] min-w-min justify-items-end gap-1 text-end">
        <b className="font-semibold">
          <Amount {...money} />
        </b>
        <Pill tone={look.tone}>{t(look.word)}</Pill>
      </span>
      <span className="sr-only">{t('history.details')}</span>
    </button>
  )
}
