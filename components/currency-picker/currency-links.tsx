'use client'

import type { ReactNode } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import { useTranslations } from '../context/translations.tsx'
import { CurrencyIcon } from '../ui/currency-icon.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useLocation } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'

/** With this query parameter a page shows its currencies as links. */
export const CHOOSE = { name: 'choose', value: 'currency' } as const

/** Wraps a button of the currency picker. Before the page's scripts have run, the button leads to `CurrencyLinks`. */
export function CurrencyForm({ children }: { readonly children: ReactNode }) {
  const kept = [...useLocation().query].filter(([name]) => name !== CHOOSE.name)
  return (
    <form method="get" className="contents">
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name={CHOOSE.name} value={CHOOSE.value} />
      {children}
    </form>
  )
}

/** The currencies as links, for a press on the picker's button before the page's scripts have run. */
export function CurrencyLinks({ currencies }: { readonly currencies: readonly Currency[] }) {
  const { t } = useTranslations()
  const { hrefWithQuery, setQuery } = useNavigation()
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2" data-testid="currency-links">
      <h2 className="text-l font-semibold">{t('currency.choose')}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {currencies.map((currency) => {
          const changes = { [CHOOSE.name]: null, currency: currency.id }
          return (
            <li key={currency.id}>
              <NavLink
                href={hrefWithQuery(changes)}
                onGo={() => setQuery(changes)}
                className="shown-whole flex min-h-14 items-center gap-3 rounded-small px-2 py-2 hover:bg-sunken"
              >
                <CurrencyIcon currency={currency} />
                <span className="min-w-0 grow">
                  <b className="block font-semibold">{currency.currency_code}</b>
                  <span className="block text-s text-ink-2">{currency.network}</span>
                </span>
                <WholeEnd />
              </NavLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
