/** The page's queries, with the cache keys that server rendering fills too. */
import { queryOptions } from '@tanstack/react-query'
import type { Currency, DepositLink, OnrampSession, Withdrawal } from '#lib/contract/cashier.ts'
import type { DepositAddressRequest, OnrampSessionBody, WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import type { BffClient } from './bff-client.ts'

/** A currency by id and names: an id may mean another currency later, which has another address. */
export const currencyMeaning = ({ id, currency_code, network }: Currency): string =>
  JSON.stringify([id, currency_code, network])

export const keys = {
  currencies: ['currencies'],
  balances: ['balances'],
  depositAddresses: ['deposit-address'],
  depositAddress: (meaning: string) => ['deposit-address', meaning],
  transactions: ['transactions'],
  /** `query` as sent to the API, so that server and page have one key for one filter. */
  transactionsPage: (query: string) => ['transactions', query],
  withdrawal: (id: string) => ['withdrawal', id],
  startedOnramp: (id: string) => ['started-onramp', id],
} as const

/** The list changes only when an operator changes it. */
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
 * The user's deposit address for a currency, created if there is none yet. It does not change, so the page keeps it.
 * The review of a withdrawal reads it too.
 */
export const depositAddressQuery = (client: BffClient, currency: Currency) =>
  queryOptions({
    queryKey: keys.depositAddress(currencyMeaning(currency)),
    queryFn: () => {
      const body: DepositAddressRequest = { currency_id: currency.id }
      return client.post('deposit-addresses', body, (schemas) => schemas.depositAddressSchema)
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  })

export const transactionsPageQuery = (client: BffClient, query: string) =>
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

/** @throws RequestFailure; `declined` carries the merchant's message and the withdrawal's id */
export const requestWithdrawal = (client: BffClient, body: WithdrawalBody, key: string): Promise<Withdrawal> =>
  client.post('withdrawals', body, (schemas) => schemas.withdrawalSchema, key)

/** @throws RequestFailure; `conflict` if it no longer waits */
export const cancelWithdrawal = (client: BffClient, id: string): Promise<Withdrawal> =>
  client.post(`withdrawals/${encodeURIComponent(id)}/cancellation`, {}, (schemas) => schemas.withdrawalSchema)

/** A page on which the user deposits from another wallet; a new page each time. */
export const requestDepositLink = (client: BffClient, currencyId: string): Promise<DepositLink> => {
  const body: DepositAddressRequest = { currency_id: currencyId }
  return client.post('deposit-links', body, (schemas) => schemas.depositLinkSchema)
}

export const startOnramp = (client: BffClient, body: OnrampSessionBody): Promise<OnrampSession> =>
  client.post('onramp-sessions', body, (schemas) => schemas.onrampSessionSchema)

/** The provider's page of a purchase does not change; its status comes from the history and the stream. */
export const startedOnrampQuery = (client: BffClient, id: string) =>
  queryOptions({
    queryKey: keys.startedOnramp(id),
    queryFn: ({ signal }) =>
      client.get(`onramp-sessions/${encodeURIComponent(id)}`, (schemas) => schemas.startedOnrampSchema, signal),
    // Not read again when the user comes back from the provider: the provider's page must stay during the payment.
    staleTime: 'static',
    refetchInterval: false,
  })
