'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import Check from 'lucide-react/icons/check'
import Search from 'lucide-react/icons/search'
import { useMemo, useRef, useState, type RefObject } from 'react'
import { balanceOf } from '#lib/browser/chosen-currency.ts'
import { createRecentCurrencies } from '#lib/browser/recent-currencies.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { isDecimal, isPositive } from '#lib/contract/money.ts'
import { useTranslations } from '../context/translations.tsx'
import { useBalances } from '../shell/balances.ts'
import { Amount } from '../ui/amount.tsx'
import { CurrencyIcon } from '../ui/currency-icon.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { groupCurrencies, matchesQuery, type PickerGroup, type PickerItem } from './currency-groups.ts'

/** One list for the page; kept for the next visit where the browser allows it. */
const recent = createRecentCurrencies(() => localStorage)

/** Picks one of the session's currencies. Loaded on demand. */
export default function CurrencyDialog({
  open,
  onClose,
  ...list
}: {
  readonly open: boolean
  readonly currencies: readonly Currency[]
  readonly chosen: Currency
  readonly onClose: () => void
  readonly onChoose: (currency: Currency) => void
}) {
  const { t } = useTranslations()
  const search = useRef<HTMLInputElement>(null)
  return (
    <Dialog open={open} title={t('currency.choose')} initialFocus={search} onClose={onClose}>
      <CurrencyList searchRef={search} {...list} />
    </Dialog>
  )
}

/** Search field and list; the arrow keys work from the field. */
function CurrencyList({
  searchRef,
  currencies,
  chosen,
  onChoose,
}: {
  readonly searchRef: RefObject<HTMLInputElement | null>
  readonly currencies: readonly Currency[]
  readonly chosen: Currency
  readonly onChoose: (currency: Currency) => void
}) {
  const { t } = useTranslations()
  const [query, setQuery] = useState('')
  const groups = useMemo(() => groupCurrencies(currencies, recent.list()), [currencies])
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      value={query}
      onValueChange={setQuery}
      autoHighlight="always"
      keepHighlight
      filter={matchesQuery}
      itemToStringValue={(item: PickerItem) => item.currency.currency_code}
    >
      <div className="shrink-0 px-4 pb-2">
        <Autocomplete.InputGroup className="flex h-12 items-center gap-2 rounded-card border border-line px-3.5 focus-within:border-accent focus-within:outline-3 focus-within:outline-accent-soft">
          <Search aria-hidden size={18} className="shrink-0 text-ink-2" />
          <Autocomplete.Input
            ref={searchRef}
            aria-label={t('currency.search')}
            placeholder={t('currency.searchShort')}
            autoComplete="off"
            spellCheck={false}
            data-testid="currency-search"
            className="h-full w-full min-w-0 bg-transparent text-[1rem] outline-none placeholder:text-ink-3"
          />
        </Autocomplete.InputGroup>
      </div>
      <Autocomplete.Status className="sr-only">
        <ResultCount />
      </Autocomplete.Status>
      <Autocomplete.Empty>
        <p className="px-5 pt-6 pb-10 text-center text-ink-2 empty:hidden">{t('currency.none', { query })}</p>
      </Autocomplete.Empty>
      <Autocomplete.List
        aria-label={t('currency.choose')}
        className="min-h-40 grow scroll-py-10 overflow-y-auto overscroll-contain px-2 pb-2 data-empty:hidden"
      >
        {(group: PickerGroup) => (
          <Autocomplete.Group key={group.key} items={group.items}>
            <Autocomplete.GroupLabel className="px-3 pt-3 pb-1 text-xs font-semibold text-ink-2">
              {group.ticker === null ? t('currency.recent') : group.name}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PickerItem) => (
                <Autocomplete.Item
                  key={item.key}
                  value={item}
                  onClick={() => {
                    recent.use(item.currency.id)
                    onChoose(item.currency)
                  }}
                  data-testid={`currency-${item.currency.id}`}
                  className="flex min-h-14 items-center gap-3 rounded-small px-3 py-2 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] data-highlighted:bg-sunken"
                >
                  <Option currency={item.currency} chosen={item.currency.id === chosen.id} />
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

function ResultCount() {
  const { t } = useTranslations()
  const groups = Autocomplete.useFilteredItems<PickerGroup>()
  return t('currency.results', { count: groups.reduce((count, { items }) => count + items.length, 0) })
}

function Option({ currency, chosen }: { readonly currency: Currency; readonly chosen: boolean }) {
  const { data: balances = [] } = useBalances()
  const available = balanceOf(balances, currency.id)?.available
  return (
    <>
      <CurrencyIcon currency={currency} />
      <span className="min-w-0 grow">
        <b className="block font-semibold">{currency.currency_code}</b>
        <span className="block text-s text-ink-2">{currency.network}</span>
      </span>
      {available !== undefined && isDecimal(available) && isPositive(available) && (
        <span className="max-w-[45%] text-end text-s text-ink-2">
          <Amount value={available} />
        </span>
      )}
      {chosen && <Check aria-hidden size={18} className="shrink-0 text-accent" />}
    </>
  )
}
