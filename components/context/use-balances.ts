'use client'

import { useQuery } from '@tanstack/react-query'
import { balanceOf } from '#lib/browser/choose-currency.ts'
import { balancesQuery } from '#lib/browser/queries.ts'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { useBffClient } from './page-runtime.tsx'
import { useSession } from './session.tsx'

export function useBalances() {
  const { showsBalances } = useSession()
  return useQuery({ ...balancesQuery(useBffClient()), enabled: showsBalances })
}

/** Balance of a currency; undefined while unknown. The API lists no zero balances, so a missing row is zero. */
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
