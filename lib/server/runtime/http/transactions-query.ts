import {
  historyFileQuery,
  transactionsQuery,
  type HistoryFileQuery,
  type TransactionsQuery,
} from '#lib/contract/cashier-requests.ts'
import { merchantTransactionsQuery, type MerchantTransactionsQuery } from '#lib/contract/merchant-requests.ts'
import { merchantValues, singleValues } from './query.ts'
import { parseInput } from './request-body.ts'

const SINGLE = ['first', 'after', 'last', 'before', 'time_range'] as const

/** `transaction_types` may be repeated. */
function typesIn(given: readonly string[]): { readonly transaction_types?: readonly string[] } {
  const types = [...new Set(given)]
  return types.length > 0 ? { transaction_types: types } : {}
}

/** The query of `GET /api/cashier/transactions`. @throws Problem `invalid_request` with all faults */
export const readTransactionsQuery = (params: URLSearchParams): TransactionsQuery =>
  parseInput(transactionsQuery, { ...singleValues(params, SINGLE), ...typesIn(params.getAll('transaction_types')) })

/** The query of `GET /api/cashier/history.csv`. @throws Problem `invalid_request` with all faults */
export const readHistoryFileQuery = (params: URLSearchParams): HistoryFileQuery =>
  parseInput(historyFileQuery, {
    ...singleValues(params, ['time_range', 'locale']),
    ...typesIn(params.getAll('transaction_types')),
  })

/** The query of `GET /api/merchant/transactions`. @throws Problem `invalid_request` with all faults */
export const readMerchantTransactionsQuery = (params: URLSearchParams): MerchantTransactionsQuery =>
  parseInput(merchantTransactionsQuery, {
    ...merchantValues(params, ['user_reference_id', ...SINGLE], ['transaction_types']),
    ...typesIn(params.getAll('transaction_types').filter((type) => type !== '')),
  })
