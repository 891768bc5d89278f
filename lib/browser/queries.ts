/** What the page asks the BFF for, with the keys that the server's first paint fills too. */
import { queryOptions } from '@tanstack/react-query'
import type { OnrampSession, Withdrawal } from '#lib/contract/cashier.ts'
import type { BffClient } from './bff-client.ts'

export const keys = {
  currencies: ['currencies'],
  balances: ['balances'],
  madeAddress: (currencyId: string) => ['made-address', currencyId],
  transactions: ['transactions'],
  /** `query` as it goes over the wire, so that server and page spell a filter in one way. */
  transactionsPage: (query: string) => ['transactions', query],
  withdrawal: (id: string) => ['withdrawal', id],
} as const

/** The list changes when an operator changes it. */
const CURRENCIES_STALE_MS = 5 * 60_000

export const currenciesQuery = (client: BffClient) =>
  queryOptions({
    queryKey: keys.currencies,
    queryFn: async ({ signal }) =>
      (await client.get('currencies', (schemas) => schemas.currenciesSchema, signal)).currencies,
    staleTime: CURRENCIES_STALE_MS,
  })

export const balancesQuery = (client: BffClient) =>
  queryOptions({
    queryKey: keys.balances,
    queryFn: async ({ signal }) => (await client.get('balances', (schemas) => schemas.balancesSchema, signal)).balances,
  })

/**
 * Has the user's address of a currency made, once. The address itself is drawn by the server, with its QR code, when the
 * page is asked for again.
 */
export const madeAddressQuery = (client: BffClient, currencyId: string) =>
  queryOptions({
    queryKey: keys.madeAddress(currencyId),
    queryFn: async () => {
      await client.send('deposit-addresses', { currency_id: currencyId })
      return true
    },
    staleTime: Infinity,
    retry: false,
  })

export const transactionsQuery = (client: BffClient, query: string) =>
  queryOptions({
    queryKey: keys.transactionsPage(query),
    queryFn: ({ signal }) => client.get(`transactions?${query}`, (schemas) => schemas.transactionsPageSchema, signal),
  })

export const withdrawalQuery = (client: BffClient, id: string) =>
  queryOptions({
    queryKey: keys.withdrawal(id),
    queryFn: ({ signal }) =>
      client.get(`withdrawals/${encodeURIComponent(id)}`, (schemas) => schemas.withdrawalSchema, signal),
  })

export interface WithdrawalRequest {
  readonly currency_id: string
  /** Canonical decimal string. */
  readonly amount: string
  readonly wallet_address: string
}

/** Throws a `RequestFailure`; `declined` carries the merchant's words and the withdrawal's id. */
export const requestWithdrawal = (client: BffClient, body: WithdrawalRequest, key: string): Promise<Withdrawal> =>
  client.post('withdrawals', body, (schemas) => schemas.withdrawalSchema, key)

export interface OnrampRequest {
  readonly currency_id: string
  readonly amount: string
  /** ISO 4217. */
  readonly fiat_currency: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export const startOnramp = (client: BffClient, body: OnrampRequest): Promise<OnrampSession> =>
  client.post('onramp-sessions', body, (schemas) => schemas.onrampSessionSchema)
