'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { createContext, use } from 'react'
import { balanceOf, chooseCurrency } from '#lib/browser/chosen-currency.ts'
import { balancesQuery, currenciesQuery } from '#lib/browser/queries.ts'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { problemFacts, type ProblemFacts } from '../ui/problem.tsx'
import { useBffClient } from './page-runtime.tsx'
import { useSession } from './session.tsx'

/** Why the server could not draw the currencies, until the page has asked for itself. */
export const CurrenciesFailure = createContext<ProblemFacts | null>(null)

export type ChosenCurrency =
  | { readonly state: 'ready'; readonly currency: Currency; readonly currencies: readonly Currency[] }
  | { readonly state: 'empty' | 'loading' }
  | { readonly state: 'problem'; readonly facts: ProblemFacts; readonly retrying: boolean; readonly retry: () => void }

/** The currency that the screen is about, by its address. */
export function useChosenCurrency(): ChosenCurrency {
  const query = useQuery(currenciesQuery(useBffClient()))
  const drawnFailure = use(CurrenciesFailure)
  const balances = useBalances()
  const asked = useSearchParams().get('currency')
  if (query.data) {
    const currency = chooseCurrency(query.data, balances.data ?? [], asked)
    return currency ? { state: 'ready', currency, currencies: query.data } : { state: 'empty' }
  }
  const facts = query.error ? problemFacts(query.error) : drawnFailure
  if (!facts) return { state: 'loading' }
  return { state: 'problem', facts, retrying: query.isFetching, retry: () => void query.refetch() }
}

export function useBalances() {
  const { showsBalances } = useSession()
  return useQuery({ ...balancesQuery(useBffClient()), enabled: showsBalances })
}

/** What is there of a currency. `zero` balances need no row, so that is what no row means; undefined while not known. */
export function useBalance(currency: Currency | null): Balance | undefined {
  const { data } = useBalances()
  if (!data || !currency) return undefined
  return (
    balanceOf(data, currency.id) ?? {
      currency_id: currency.id,
      currency_code: currency.currency_code,
      network: currency.network,
      available: '0',
      held: '0',
    }
  )
}
