'use client'

import { Combobox } from '@base-ui/react/combobox'
import Check from 'lucide-react/icons/check'
import Search from 'lucide-react/icons/search'
import { useMemo, useRef, useState, type RefObject } from 'react'
import { balanceOf } from '#lib/browser/choose-currency.ts'
import { createRecentCurrencies } from '#lib/browser/recent-currencies.ts'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { isDecimal, isPositive } from '#lib/contract/money.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useBalances } from '../context/use-balances.ts'
import { ApproximateValue } from '../expectations/approximate-value.tsx'
import { Amount } from '../ui/amount.tsx'
import { CurrencyIcon } from '../ui/currency-icon.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { groupCurrencies, matchesQuery, type PickerGroup, type PickerItem } from './currency-groups.ts'

const isPositiveBalance = ({ available }: Balance): boolean => isDecimal(available) && isPositive(available)

/** An amount of more characters is below the names: beside them it would be too small to read. */
const MOST_BESIDE = 12

/** One list for the page; kept for the next visit if the browser allows it. */
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
  const { data: balances = [] } = useBalances()
  // Fixed when the list opens, so that no row moves while the user reads it.
  const [ownIds] = useState(() => new Set(balances.filter(isPositiveBalance).map(({ currency_id }) => currency_id)))
  const groups = useMemo(() => groupCurrencies(currencies, { ownIds, recentIds: recent.list() }), [currencies, ownIds])
  const rows = groups.flatMap(({ items }) => items)
  return (
    <Combobox.Root
      open
      inline
      items={groups}
      value={rows.find(({ currency }) => currency.id === chosen.id) ?? null}
      isItemEqualToValue={(a: PickerItem, b: PickerItem) => a.currency.id === b.currency.id}
      onValueChange={(item) => {
        if (item === null) return
        recent.use(item.currency.id)
        onChoose(item.currency)
      }}
      inputValue={query}
      onInputValueChange={setQuery}
      autoHighlight
      // Enter chooses the row that the arrow keys selected, not the row below a resting pointer.
      highlightItemOnHover={false}
      filter={matchesQuery}
      itemToStringLabel={(item: PickerItem) => item.currency.currency_code}
    >
      <div className="shrink-0 px-4 pb-2">
        <Combobox.InputGroup className="flex h-12 items-center gap-2 rounded-card border border-field px-3.5 focus-within:border-accent focus-within:outline-3 focus-within:outline-accent-soft">
          <Search aria-hidden size={18} className="shrink-0 text-ink-2" />
          <Combobox.Input
            ref={searchRef}
            aria-label={t('currency.search')}
            placeholder={t('currency.searchShort')}
            autoComplete="off"
            spellCheck={false}
            data-testid="currency-search"
            className="h-full w-full min-w-0 bg-transparent text-[1rem] outline-none placeholder:text-ink-3"
          />
        </Combobox.InputGroup>
      </div>
      <Combobox.Status className="sr-only">
        <ResultCount />
      </Combobox.Status>
      <Combobox.Empty>
        <p className="px-5 pt-6 pb-10 text-center text-ink-2 empty:hidden">{t('currency.none', { query })}</p>
      </Combobox.Empty>
      <Combobox.List
        aria-label={t('currency.choose')}
        className="min-h-40 grow scroll-py-10 overflow-y-auto overscroll-contain px-2 pb-2 data-empty:hidden"
      >
        {(group: PickerGroup) => (
          <Combobox.Group key={group.key} items={group.items}>
            <Combobox.GroupLabel className="px-3 pt-3 pb-1 text-xs font-semibold text-ink-2">
              {group.kind === 'ticker' ? group.name : t(`currency.${group.kind}`)}
            </Combobox.GroupLabel>
            <Combobox.Collection>
              {(item: PickerItem) => (
                <Combobox.Item
                  key={item.currency.id}
                  value={item}
                  data-testid={`currency-${item.currency.id}`}
                  className="flex min-h-14 items-center gap-3 rounded-small px-3 py-2 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] hover:bg-sunken data-highlighted:bg-sunken"
                >
                  <Option currency={item.currency} chosen={item.currency.id === chosen.id} />
                </Combobox.Item>
              )}
            </Combobox.Collection>
          </Combobox.Group>
        )}
      </Combobox.List>
    </Combobox.Root>
  )
}

function ResultCount() {
  const { t } = useTranslations()
  const groups = Combobox.useFilteredItems<PickerGroup>()
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return <span>{t('currency.results', { count })}</span>
}

function Option({ currency, chosen }: { readonly currency: Currency; readonly chosen: boolean }) {
  const { shortAmount } = useTranslations()
  const { data: balances = [] } = useBalances()
  const { showsValues } = useSession()
  const balance = balanceOf(balances, currency.id)
  const amount = balance && isPositiveBalance(balance) ? balance.available : null
  const below = amount !== null && shortAmount(amount).length > MOST_BESIDE
  return (
    <>
      <CurrencyIcon currency={currency} />
      {/* With a large text size the amount is below the names, too. */}
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-3">
        <span className={below ? 'w-full' : 'min-w-0 grow-999 basis-[4rem]'}>
          <b className="block font-semibold">{currency.currency_code}</b>
          <span className="block text-s text-ink-2" translate="no">
            {currency.network}
          </span>
        </span>
        {amount !== null && (
          <span
            className={`@container shrink-0 text-end text-s text-ink-2 ${below ? 'w-full' : 'grow basis-[max(55%,5.5rem)]'}`}
          >
            <Amount value={amount} short />
            {showsValues && (
              <span className="block text-xs">
                <ApproximateValue amount={amount} of={{ code: currency.currency_code, network: currency.network }} />
              </span>
            )}
          </span>
        )}
      </span>
      {chosen && <Check aria-hidden size={18} className="shrink-0 text-accent" />}
    </>
  )
}
