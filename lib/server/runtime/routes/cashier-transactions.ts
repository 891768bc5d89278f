import type { Endpoints } from '../http/handler.ts'
import { enterToRead } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { transactionsInput } from '../http/transactions-query.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

/** `GET /api/cashier/transactions`. */
export const cashierTransactions = ({ door, useCases }: CashierReadDeps<'listTransactions'>): Endpoints => ({
  async GET(call) {
    const session = await enterToRead(door, call)
    return jsonResponse(200, await useCases.listTransactions(session, transactionsInput(call.url.searchParams)))
  },
})
