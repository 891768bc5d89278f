'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { createContext, use, useState, type ReactNode } from 'react'
import { chooseCurrency } from '#lib/browser/chosen-currency.ts'
import { currenciesQuery } from '#lib/browser/queries.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { problemFacts, type ProblemFacts } from '../ui/problem.tsx'
import { useBalances } from './balances.ts'
import { useBffClient } from './page-runtime.tsx'

export type ChosenCurrency =
  | { readonly state: 'ready'; readonly currency: Currency; readonly currencies: readonly Currency[] }
  | { readonly state: 'empty' | 'loading' }
  | { readonly state: 'problem'; readonly facts: ProblemFacts; readonly retrying: boolean; readonly retry: () => void }

const ChosenContext = createContext<ChosenCurrency>({ state: 'loading' })

/** The currency that the screen is about. */
export const useChosenCurrency = (): ChosenCurrency => use(ChosenContext)

/**
 * The currency of the address, else the one that the page was about before. Only the first is chosen by the balances:
 * an address to pay to must not change under somebody's eyes when money arrives.
 * `drawnFailure`: why the server could not draw the currencies, until the page has asked for itself.
 */
export function ChosenCurrencyProvider({
  drawnFailure,
  children,
}: {
  readonly drawnFailure: ProblemFacts | null
  readonly children: ReactNode
}) {
  const query = useQuery(currenciesQuery(useBffClient()))
  const { data: balances = [] } = useBalances()
  const asked = useSearchParams().get('currency')
  const [kept, setKept] = useState<string | null>(null)
  const currencies = query.data
  const currency = currencies
    ? (currencies.find(({ id }) => id === asked) ?? chooseCurrency(currencies, balances, kept))
    : null
  if (currency && currency.id !== kept) setKept(currency.id)

  function chosen(): ChosenCurrency {
    if (currencies && currency) return { state: 'ready', currency, currencies }
    if (currencies) return { state: 'empty' }
    const facts = query.error ? problemFacts(query.error) : drawnFailure
    if (!facts) return { state: 'loading' }
    return { state: 'problem', facts, retrying: query.isFetching, retry: () => void query.refetch() }
  }
  return <ChosenContext value={chosen()}>{children}</ChosenContext>
}
