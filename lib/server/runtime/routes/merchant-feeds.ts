import { z } from 'zod'
import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { singleValues } from '../http/query.ts'
import { parseInput } from '../http/request-body.ts'
import type { UseCases } from '../use-cases.ts'

export interface MerchantFeedsDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly useCases: Pick<UseCases, 'listMerchantEvents' | 'listQuarantine'>
}

const page = z.object({
  after: z.string().min(1).max(200).optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'must be from 1 to 1000' })
    .transform(Number)
    .pipe(z.number().min(1, { error: 'must be from 1 to 1000' }).max(1000, { error: 'must be from 1 to 1000' }))
    .prefault('100'),
})

const pageOf = (url: URL): { after: string | null; limit: number } => {
  const { after, limit } = parseInput(page, singleValues(url.searchParams, ['after', 'limit']))
  return { after: after ?? null, limit }
}

/** `GET /api/merchant/events`. */
export const merchantEvents = ({ requireMerchant, useCases }: MerchantFeedsDeps): Endpoints => ({
  async GET({ request, url }) {
    requireMerchant(request.headers)
    return jsonResponse(200, await useCases.listMerchantEvents(pageOf(url)))
  },
})

/** `GET /api/merchant/quarantine`. */
export const merchantQuarantine = ({ requireMerchant, useCases }: MerchantFeedsDeps): Endpoints => ({
  async GET({ request, url }) {
    requireMerchant(request.headers)
    return jsonResponse(200, await useCases.listQuarantine(pageOf(url)))
  },
})
