/** The address of a list's page: its filters, order, page and columns as text. */
import * as z from 'zod/mini'
import { LIST_QUERIES, type ListName } from './lists.ts'

type Field = z.ZodMiniType

/** Text that the field accepts. */
const textOf = (field: Field) =>
  z.optional(z.string().check(z.refine((text) => field.safeParse(text).success, { error: 'is not valid' })))

export type ListAddress = Readonly<Record<string, string | undefined>>

/** What the address of a list's page may have: text that each field accepts, and columns. */
export function addressOf(fields: Readonly<Record<string, Field>>): z.ZodMiniType<ListAddress> {
  const texts = Object.entries(fields).map(([name, field]) => [name, textOf(field)] as const)
  return z.object({ ...Object.fromEntries(texts), columns: z.optional(z.string()) })
}

/** What the address of each list may have; the page leaves out what is not valid. */
export const LIST_ADDRESSES: Readonly<Record<ListName, z.ZodMiniType<ListAddress>>> = {
  transactions: addressOf(LIST_QUERIES.transactions.shape),
  withdrawals: addressOf(LIST_QUERIES.withdrawals.shape),
  payouts: addressOf(LIST_QUERIES.payouts.shape),
  quarantine: addressOf(LIST_QUERIES.quarantine.shape),
}

/** The query with these names of the address. */
export const queryOf = (state: ListAddress, names: readonly string[]): string => {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = state[name]
    if (value !== undefined && value !== '') query.set(name, value)
  }
  return query.toString()
}

/** The query for the server. */
export const serverQuery = (list: ListName, state: ListAddress): string =>
  queryOf(state, Object.keys(LIST_QUERIES[list].shape))

/** The first page: what says which page of a list is shown, left out. */
export const FIRST_PAGE = { cursor: undefined, before: undefined, after: undefined, limit: undefined } as const

/** The query of a file: without the page. */
export const fileQuery = (list: ListName, state: ListAddress): string => serverQuery(list, { ...state, ...FIRST_PAGE })

/** What a saved view keeps: filters, order and columns. The same view has the same text. */
export const viewQueryOf = (state: ListAddress): string =>
  queryOf({ ...state, ...FIRST_PAGE }, Object.keys(state).toSorted())
