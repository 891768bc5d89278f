import { z } from 'zod'
import { TIME_RANGES } from '#lib/contract/cashier.ts'
import type { TransactionsInput } from '../../cashier/list-transactions.ts'
import { singleValues } from './query.ts'
import { parseInput } from './request-body.ts'

const SINGLE = ['first', 'after', 'last', 'before', 'time_range'] as const
const COUNT = { error: 'must be a whole number from 1 to 100' }
const count = z
  .string()
  .regex(/^\d{1,3}$/, COUNT)
  .transform(Number)
  .pipe(z.number().min(1, COUNT).max(100, COUNT))
const cursor = z.string().min(1).max(1000)

const query = z
  .object({
    first: count.optional(),
    after: cursor.optional(),
    last: count.optional(),
    before: cursor.optional(),
    time_range: z.enum(TIME_RANGES, { error: `must be one of ${TIME_RANGES.join(', ')}` }).optional(),
    // The gateway's values are open; only their form is ours to judge.
    transaction_types: z.array(z.string().regex(/^[A-Za-z][A-Za-z_-]{0,39}$/)).max(20),
  })
  .refine(({ first, last }) => first === undefined || last === undefined, {
    path: ['last'],
    error: 'must not stand beside first',
  })

/** The query of `GET /api/cashier/transactions`. Throws `invalid_request` with all faults. */
export function transactionsInput(params: URLSearchParams): TransactionsInput {
  const { first, after, last, before, time_range, transaction_types } = parseInput(query, {
    ...singleValues(params, SINGLE),
    transaction_types: params.getAll('transaction_types'),
  })
  return {
    ...(first !== undefined && { first }),
    ...(after !== undefined && { after }),
    ...(last !== undefined && { last }),
    ...(before !== undefined && { before }),
    ...(time_range !== undefined && { time_range }),
    ...(transaction_types.length > 0 && { transaction_types: [...new Set(transaction_types)] }),
  }
}
