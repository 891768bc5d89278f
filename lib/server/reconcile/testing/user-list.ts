/** A user's list as the gateway gives it, for tests. */
import type { TransactionsList, TransactionsListRequest } from '../../gateway/types.ts'
import { sampleTransactionRecord } from '../../gateway/testing/sample-record.ts'
import { NotAvailableError } from '../../gateway/errors.ts'
import type { ReadMerchantList } from '../scan-merchant-list.ts'
import type { Edge, ReadLists } from '../scan-user-list.ts'

/** A gateway that does not offer the list across all users. */
export const NO_MERCHANT_LIST: ReadMerchantList = {
  listMerchantTransactions: () =>
    Promise.reject(new NotAvailableError('not offered', { operation: 'list_merchant_transactions', status: 501 })),
}

export const EMPTY_LIST: TransactionsList = {
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 0,
}

/** A deposit of 1 of `user_1`, in currency `c`. Its cursor is its uuid. */
export function depositEdge(uuid: string, insertedMs: number, status = 'TXN_NEW'): Edge {
  const inserted_at = new Date(insertedMs).toISOString()
  return {
    cursor: uuid,
    inserted_at,
    node: sampleTransactionRecord({ transaction_uuid: uuid, status, inserted_at }),
  }
}

interface PagedOptions {
  /** The most records of a page. */
  readonly most?: number
  /** Changes a page; `number` counts the calls from 1. */
  readonly spoil?: (page: TransactionsList, number: number) => TransactionsList
}

/** A gateway that gives this list in pages, newest first. */
export function pagedGateway(
  list: readonly Edge[],
  { most = Infinity, spoil = (page) => page }: PagedOptions = {},
): ReadLists {
  let number = 0
  return {
    listUserTransactions(_user: string, query: TransactionsListRequest = {}): Promise<TransactionsList> {
      number += 1
      const start = query.after === undefined ? 0 : list.findIndex(({ cursor }) => cursor === query.after) + 1
      const edges = list.slice(start, start + Math.min(query.first ?? 20, most))
      const page: TransactionsList = {
        edges,
        page_info: {
          start_cursor: edges[0]?.cursor ?? null,
          end_cursor: edges.at(-1)?.cursor ?? null,
          has_next_page: start + edges.length < list.length,
          has_previous_page: start > 0,
        },
        total_count: list.length,
      }
      return Promise.resolve(spoil(page, number))
    },
  }
}
