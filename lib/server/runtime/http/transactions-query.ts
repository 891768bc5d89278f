import { transactionsQuery, type TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import { singleValues } from './query.ts'
import { parseInput } from './request-body.ts'

const SINGLE = ['first', 'after', 'last', 'before', 'time_range'] as const

/** The query of `GET /api/cashier/transactions`. @throws Problem `invalid_request` with all faults */
export function readTransactionsQuery(params: URLSearchParams): TransactionsQuery {
  const types = [...new Set(params.getAll('transaction_types'))]
  return parseInput(transactionsQuery, {
    ...singleValues(params, SINGLE),
    ...(types.length > 0 && { transaction_types: types }),
  })
}
