import type * as z from 'zod/mini'
import type { InboundRequest } from './inbound-request.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'
import { readJson } from './request-body.ts'

export interface LimitedBy {
  readonly rateLimits: RateLimits
  /** Who is counted. */
  readonly user: string
  readonly limit: LimitName
}

/**
 * A JSON body that counts towards a limit once it is valid. One that is refused counts as a call.
 * @throws Problem as `readJson` does, and `rate_limited`
 */
export async function readLimited<T extends z.core.$ZodType>(
  request: InboundRequest,
  schema: T,
  { rateLimits, user, limit }: LimitedBy,
): Promise<z.core.output<T>> {
  const input = await readJson(request, schema).catch(async (error: unknown) => {
    await rateLimits.take('calls', user)
    throw error
  })
  await rateLimits.take(limit, user)
  return input
}
