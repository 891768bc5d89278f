/** Addresses that the page has seen: the user's deposit addresses and the contracts of tokens. */
import type { QueryClient } from '@tanstack/react-query'
import type { KnownAddresses } from '#lib/addresses/doubtful-destination.ts'
import type { DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import { keys } from './queries.ts'
import { transactionKind } from './status-display.ts'

/** The data of all queries below this key. */
const dataBelow = (cache: QueryClient, queryKey: readonly string[]): readonly unknown[] =>
  cache.getQueriesData({ queryKey }).flatMap(([, data]) => (data === undefined ? [] : [data]))

/** From each deposit address that was shown, and from each history page that was read. */
export function knownAddresses(cache: QueryClient): KnownAddresses {
  const shown = dataBelow(cache, keys.depositAddresses) as readonly DepositAddress[]
  const pages = dataBelow(cache, keys.transactions) as readonly TransactionsPage[]
  const nodes = pages.flatMap(({ edges }) => edges.map(({ node }) => node))
  const paidTo = nodes.flatMap((node) => (transactionKind(node) === 'deposit' ? (node.to_address ?? []) : []))
  return {
    own: [
      ...shown.map(({ address, tag }) => ({ address, tag: tag ?? null })),
      ...paidTo.map((address) => ({ address, tag: null })),
    ],
    contracts: nodes.flatMap(({ currency: { network, code, token_address: address } }) =>
      address ? [{ network, code, address }] : [],
    ),
  }
}
