'use client'

import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import CircleDot from 'lucide-react/icons/circle-dot'
import CreditCard from 'lucide-react/icons/credit-card'
import { historyDays, type HistoryDay, type HistoryItem } from '#lib/browser/history-items.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { useTranslations } from '../context/translations.tsx'
import { Amount } from '../ui/amount.tsx'
import { Time, useZone } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'
import { useDayName, useRowName } from './kind-and-day-names.ts'

const ICONS: Readonly<Record<TransactionKind, typeof ArrowDown>> = {
  deposit: ArrowDown,
  payout: ArrowUp,
  onramp: CreditCard,
}

export function HistoryList({
  items,
  onPreload,
  onOpen,
}: {
  readonly items: readonly HistoryItem[]
  readonly onPreload: () => void
  readonly onOpen: (item: HistoryItem) => void
}) {
  const days = historyDays(items, useZone())
  return (
    <div
      data-testid="history"
      onPointerEnter={onPreload}
      onFocus={onPreload}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      {days.map((day) => (
        <Day key={day.day} day={day} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Day({ day, onOpen }: { readonly day: HistoryDay; readonly onOpen: (item: HistoryItem) => void }) {
  const name = useDayName()(day)
  return (
    <section>
      <h2 className="text-xs font-semibold text-ink-2" suppressHydrationWarning>
        {name}
      </h2>
      <ul>
        {day.items.map((item) => (
          <li key={item.key} className="border-b border-line last:border-0">
            <Row item={item} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ item, onOpen }: { readonly item: HistoryItem; readonly onOpen: (item: HistoryItem) => void }) {
  const { t, decimal } = useTranslations()
  const { node, kind, amount, paid, display } = item
  const Icon = kind ? ICONS[kind] : CircleDot
  return (
    <button
      type="button"
      data-testid="transaction"
      aria-haspopup="dialog"
      onClick={() => onOpen(item)}
      className="-mx-2 flex w-[calc(100%+1rem)] items-center gap-3 rounded-small px-2 py-2.5 text-start hover:bg-sunken"
    >
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-2">
        <Icon size={18} />
      </span>
      {/* Side by side while both fit; else the amount goes below the name, and what is still too long breaks. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="max-w-full flex-1 basis-28">
          <b className="block font-semibold">{useRowName()(item)}</b>
          <span className="block text-s text-ink-2">
            <Time iso={node.inserted_at} style="time" /> · {node.currency.network}
            {paid && <> · {t('history.paid', { amount: decimal(paid.value), currency: paid.code })}</>}
          </span>
        </span>
        <span className="ms-auto grid max-w-full grid-cols-[minmax(0,1fr)] justify-items-end gap-1 text-end">
          <b className="max-w-full font-semibold">
            <Amount {...amount} />
          </b>
          <Pill tone={display.tone}>{t(display.label)}</Pill>
        </span>
      </span>
      <span className="sr-only">{t('history.details')}</span>
    </button>
  )
}
