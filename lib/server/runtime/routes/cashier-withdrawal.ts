import type { Endpoints } from '../http/handler.ts'
import { enterToRead } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

/** `GET /api/cashier/withdrawals/{withdrawal_id}`. */
export const cashierWithdrawal = ({ door, useCases }: CashierReadDeps<'getWithdrawal'>): Endpoints => ({
  async GET(call) {
    const session = await enterToRead(door, call)
    return jsonResponse(200, await useCases.getWithdrawal(session, call.path['withdrawal_id'] ?? ''))
  },
})
