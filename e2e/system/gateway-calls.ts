import { z } from 'zod'
import type { SandboxControl } from '../fixtures/sandbox-control.ts'

const call = z.object({
  operation: z.string(),
  user_reference: z.string().nullable(),
  authentic: z.boolean(),
  committed: z.boolean(),
  body: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text === '' ? '{}' : text))),
})
export type GatewayCall = z.infer<typeof call>

/** The calls of one operation that the gateway received, oldest first; of all users when none is given. */
export async function gatewayCalls(
  control: SandboxControl,
  user?: string,
  operation = 'withdraw',
): Promise<readonly GatewayCall[]> {
  const query = new URLSearchParams({ operation, limit: '100000', ...(user !== undefined && { user_reference: user }) })
  return z.object({ calls: z.array(call) }).parse(await control.call('GET', `/calls?${query.toString()}`)).calls
}
