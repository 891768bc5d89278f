import { z } from 'zod'
import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import type { UseCases } from '../use-cases.ts'

export interface MerchantRedeliverDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly useCases: Pick<UseCases, 'redeliver'>
}

const order = z.union(
  [
    z.strictObject({ cursors: z.array(z.string().min(1).max(200)).min(1).max(1000) }),
    z.strictObject({ dead: z.literal(true) }),
  ],
  { error: 'must be {"cursors": [...]} with 1 to 1000 cursors of the events feed, or {"dead": true}' },
)

/** `POST /api/merchant/redeliveries`: puts outbound events back in line. */
export const merchantRedeliver = ({ requireMerchant, useCases }: MerchantRedeliverDeps): Endpoints => ({
  async POST({ request }) {
    requireMerchant(request.headers)
    return jsonResponse(202, await useCases.redeliver(await readJson(request, order)))
  },
})
