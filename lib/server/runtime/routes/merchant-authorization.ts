import { z } from 'zod'
import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import type { UseCases } from '../use-cases.ts'

export interface MerchantAuthorizationDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly useCases: Pick<UseCases, 'decideWithdrawal'>
}

const decision = z.object({
  decision: z.enum(['approve', 'decline']),
  user_message: z
    .string()
    .max(500)
    .nullish()
    .transform((text) => text ?? undefined),
})

/** `POST /api/merchant/withdrawals/{withdrawal_id}/authorization`. */
export const merchantAuthorization = ({ requireMerchant, useCases }: MerchantAuthorizationDeps): Endpoints => ({
  async POST({ request, path }) {
    requireMerchant(request.headers)
    const input = await readJson(request, decision)
    const { user_message, ...rest } = input
    const decided = user_message === undefined ? rest : { ...rest, user_message }
    return jsonResponse(200, await useCases.decideWithdrawal(path['withdrawal_id'] ?? '', decided))
  },
})
