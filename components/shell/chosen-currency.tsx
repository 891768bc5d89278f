'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { createContext, use, useState, type ReactNode } from 'react'
import { chooseCurrency } from '#lib/browser/chosen-currency.ts'
import { currenciesQuery } from '#lib/browser/queries.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { problemDetails, type ProblemDetails } from '../ui/problem-screen.tsx'
import { useBalances } from './balances.ts'
import { useBffClient } from './page-runtime.tsx'

export type ChosenCurrency =
  | { readonly state: 'ready'; readonly currency: Currency; readonly currencies: readonly Currency[] }
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
 * The currency in the URL, else the one of before. Balances decide only the first time: a deposit address on the screen
 * must not change when money arrives.
 * `serverFailure`: why the server rendered without the currencies; replaced by the page's own fetch.
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
  const requested = useSearchParams().get('currency')
  const [current, setCurrent] = useState<string | null>(null)
  const currencies = query.data
  const currency = currencies
    ? (currencies.find(({ id }) => id === requested) ?? chooseCurrency(currencies, balances, current))
    : null
  if (currency && currency.id !== current) setCurrent(currency.id)

  function chosen(): ChosenCurrency {
    if (currencies && currency) return { state: 'ready', currency, currencies }
    if (currencies) return { state: 'empty' }
    const details = query.error ? problemDetails(query.error) : serverFailure
    if (!details) return { state: 'loading' }
    return { state: 'problem', details, retrying: query.isFetching, retry: () => void query.refetch() }
  }
  return <ChosenContext value={chosen()}>{children}</ChosenContext>
}
