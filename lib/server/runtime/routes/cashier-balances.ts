import type { Endpoints } from '../http/handler.ts'
import { enterToRead } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

/** `GET /api/cashier/balances`. */
export const cashierBalances = ({ door, useCases }: CashierReadDeps<'listBalances'>): Endpoints => ({
  async GET(call) {
    const session = await enterToRead(door, call)
    return jsonResponse(200, { balances: await useCases.listBalances(session.user_reference_id) })
  },
})
