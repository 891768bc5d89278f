import { z } from 'zod'
import type { Endpoints } from '../http/handler.ts'
import { enterToChange } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

const order = z.object({
  currency_id: z.string().min(1).max(100),
  amount: z.string().max(200),
  fiat_currency: z.string().max(20),
  country: z.string().max(20),
})

/** `POST /api/cashier/onramp-sessions`. */
export const cashierOnrampSessions = ({ door, useCases }: CashierReadDeps<'startOnramp'>): Endpoints => ({
  async POST(call) {
    const session = await enterToChange(door, call, 'buy', 'onramp_sessions')
    const input = await readJson(call.request, order)
    return jsonResponse(201, await useCases.startOnramp(session, input))
  },
})
