'use client'

import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import CircleDot from 'lucide-react/icons/circle-dot'
import CreditCard from 'lucide-react/icons/credit-card'
import { historyDays, type HistoryDay, type HistoryItem } from '#lib/browser/history-items.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Amount } from '../ui/amount.tsx'
import { ExactValue } from '../ui/exact-value.tsx'
import { Time, useZone } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
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
      className="@container grid grid-cols-[minmax(0,1fr)] gap-3"
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
  const { t, shortAmount } = useTranslations()
  const { showsValues } = useSession()
  const { node, kind, amount, paid, display } = item
  const Icon = kind ? ICONS[kind] : CircleDot
  return (
    <button
      type="button"
      data-testid="transaction"
      aria-haspopup="dialog"
      onClick={() => onOpen(item)}
      className="shown-whole -mx-2 flex w-[calc(100%+var(--space)*4)] items-center gap-2.5 rounded-small px-2 py-2.5 text-start hover:bg-sunken"
    >
      {/* Decoration, hidden to make room for large text. */}
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-ink-2 @max-[13rem]:hidden"
      >
        <Icon size={18} />
      </span>
      {/* Each line shows two texts side by side if both fit, otherwise one below the other. Longer text breaks. */}
      <span className="@container grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <span className="flex flex-wrap items-baseline gap-x-1">
          <b className="max-w-full font-semibold">{useRowName()(item)}</b>
          <b className="ms-auto max-w-full text-end font-semibold">
            <Amount {...amount} short />
          </b>
        </span>
        <span className="flex flex-wrap items-baseline gap-1">
          <span className="max-w-full text-s text-ink-2">
            <Time iso={node.inserted_at} style="time" />
            <span translate="no">
              {' · '}
              <bdi>{node.currency.network}</bdi>
            </span>
            {showsValues && node.amount_usd !== null && <ExactValue usd={node.amount_usd} />}
            {paid && <span>{` · ${t('history.paid', { amount: shortAmount(paid.value), currency: paid.code })}`}</span>}
          </span>
          <span className="ms-auto flex max-w-full justify-end">
            <Pill tone={display.tone}>{t(display.label)}</Pill>
          </span>
        </span>
      </span>
      <span className="sr-only">{t('history.details')}</span>
      <WholeEnd />
    </button>
  )
}
