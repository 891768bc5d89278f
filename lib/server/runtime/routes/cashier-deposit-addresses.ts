import { z } from 'zod'
import type { Endpoints } from '../http/handler.ts'
import { enterToChange } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

const order = z.object({ currency_id: z.string().min(1).max(100) })

/** `POST /api/cashier/deposit-addresses`. */
export const cashierDepositAddresses = ({ door, useCases }: CashierReadDeps<'getDepositAddress'>): Endpoints => ({
  async POST(call) {
    const session = await enterToChange(door, call, 'deposit', 'deposit_addresses')
    const input = await readJson(call.request, order)
    return jsonResponse(200, await useCases.getDepositAddress(session, input))
  },
})
