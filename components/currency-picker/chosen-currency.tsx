'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { chooseCurrency } from '#lib/browser/choose-currency.ts'
import { currenciesQuery } from '#lib/browser/queries.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { problemDetails, type ProblemDetails } from '../ui/problem-screen.tsx'
import { useBalances } from '../context/use-balances.ts'
import { useLocation } from '../context/location.tsx'
import { useBffClient } from '../context/page-runtime.tsx'

export type ChosenCurrency =
  | {
      readonly state: 'ready'
      readonly currency: Currency
      readonly currencies: readonly Currency[]
      /** False if the currency was removed from the list while it was on the screen. */
      readonly offered: boolean
    }
  | { readonly state: 'empty' | 'loading' }
  | {
      readonly state: 'problem'
      readonly details: ProblemDetails
      readonly retrying: boolean
      readonly retry: () => void
    }

const ChosenContext = createContext<ChosenCurrency>({ state: 'loading' })

/** The currency that the screen is about. */
export const useChosenCurrency = (): ChosenCurrency => use(ChosenContext)

/**
 * The currency in the URL, otherwise the previous one. Balances decide only the first choice: a deposit address on the
 * screen must not change when money arrives. A currency that is no longer offered stays until the user chooses another
 * currency or flow, so that a form or a payment in progress is not replaced.
 * `serverFailure`: why the server rendered without the currencies; the page's own fetch replaces it.
 */
export function ChosenCurrencyProvider({
  serverFailure,
  children,
}: {
  readonly serverFailure: ProblemDetails | null
  readonly children: ReactNode
}) {
  const query = useQuery(currenciesQuery(useBffClient()))
  const { data: balances = [] } = useBalances()
  const { path, query: search } = useLocation()
  const requested = search.get('currency')
  const [shown, setShown] = useState<{ readonly currency: Currency; readonly path: string } | null>(null)
  const currencies = query.data
  const current = shown?.currency.id ?? null
  const isShown = currencies?.length !== 0 && shown?.path === path && (requested === null || requested === current)
  const currency = currencies
    ? (currencies.find(({ id }) => id === requested) ??
      currencies.find(({ id }) => id === current) ??
      (isShown ? shown.currency : chooseCurrency(currencies, balances, null)))
    : null
  if (currency && (currency.id !== current || path !== shown?.path)) setShown({ currency, path })

  const { error, refetch } = query
  const retrying = !currencies && query.isFetching
  // A new value renders everything that reads it, so it is made only when the content changes.
  const chosen = useMemo((): ChosenCurrency => {
    if (currencies && currency)
      return { state: 'ready', currency, currencies, offered: currencies.some(({ id }) => id === currency.id) }
    if (currencies) return { state: 'empty' }
    const details = error ? problemDetails(error) : serverFailure
    if (!details) return { state: 'loading' }
    return { state: 'problem', details, retrying, retry: () => void refetch() }
  }, [currencies, currency, error, serverFailure, retrying, refetch])
  return <ChosenContext value={chosen}>{children}</ChosenContext>
}
