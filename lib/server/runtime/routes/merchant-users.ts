import { z } from 'zod'
import { userReference } from '../../merchant/session-request.ts'
import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { parseInput, readJson } from '../http/request-body.ts'
import type { UseCases } from '../use-cases.ts'

export interface MerchantUsersDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly useCases: Pick<UseCases, 'listBalances' | 'adjustBalance'>
}

const user = z.object({ user_reference_id: userReference })

const adjustment = z.object({
  currency_id: z.string().min(1).max(100),
  amount: z.string().max(100),
  reference: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[!-~]+$/, { error: 'must be visible ASCII characters' }),
})

/** `GET /api/merchant/users/{user_reference_id}/balances`. */
export const merchantBalances = ({ requireMerchant, useCases }: MerchantUsersDeps): Endpoints => ({
  async GET({ request, path }) {
    requireMerchant(request.headers)
    const { user_reference_id } = parseInput(user, path)
    return jsonResponse(200, { balances: await useCases.listBalances(user_reference_id) })
  },
})

/** `POST /api/merchant/users/{user_reference_id}/adjustments`: 201 the first time, 200 for the same again. */
export const merchantAdjustments = ({ requireMerchant, useCases }: MerchantUsersDeps): Endpoints => ({
  async POST({ request, path }) {
    requireMerchant(request.headers)
    const { user_reference_id } = parseInput(user, path)
    const input = await readJson(request, adjustment)
    const { created, adjustment: booked } = await useCases.adjustBalance(user_reference_id, input)
    return jsonResponse(created ? 201 : 200, booked)
  },
})
