import { z } from 'zod'
import { JsonFault, parseLosslessJson } from '../gateway/lossless-json.ts'
import { describeFault } from './describe-fault.ts'
import { readCapped } from './read-capped.ts'
import { signedHeaders } from './sign-call.ts'
import { cleanUserMessage } from './user-message.ts'

/** What the merchant is asked about. */
export interface WithdrawalToAuthorize {
  readonly withdrawal_id: string
  readonly user_reference_id: string
  readonly amount: string
  readonly currency: { readonly id: string; readonly currency_code: string; readonly network: string }
  readonly wallet_address: string
}

export interface Authorization {
  readonly decision: 'approve' | 'decline' | 'postpone'
  /** For the user, in the merchant's words. */
  readonly user_message: string | null
  /** For the log: why it was decided so. */
  readonly reason: string
}

export interface AskMerchantOptions {
  readonly url: string
  readonly secret: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  /** From the call to the last byte of the reply; 5000 by default. */
  readonly timeoutMs?: number
}

const MOST_REPLY_BYTES = 64 * 1024

const reply = z.strictObject({
  decision: z.enum(['approve', 'decline', 'postpone']),
  user_message: z.string().nullish(),
})

const decline = (reason: string): Authorization => ({ decision: 'decline', user_message: null, reason })

const bodyOf = (withdrawal: WithdrawalToAuthorize): string => {
  const { withdrawal_id, user_reference_id, amount, currency, wallet_address } = withdrawal
  const { id, currency_code, network } = currency
  return JSON.stringify({
    withdrawal_id,
    user_reference_id,
    amount,
    currency: { id, currency_code, network },
    wallet_address,
  })
}

/** What a reply's bytes say; anything but the exact shape is a decline. */
export function readDecision(bytes: Uint8Array): Authorization {
  let value: unknown
  try {
    // The shape has no numbers; one must not pass as text.
    value = parseLosslessJson(bytes, { readNumber: (number) => ({ number }) })
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return decline(`the reply cannot be read: ${error.message}`)
  }
  const parsed = reply.safeParse(value)
  if (!parsed.success) return decline('the reply is not {decision, user_message?}')
  const { decision, user_message } = parsed.data
  return { decision, user_message: cleanUserMessage(user_message), reason: `the merchant says ${decision}` }
}

/**
 * Asks the merchant about a withdrawal (contract section 8). The withdrawal's id is the `webhook-id`, so a repeated
 * question is known as one. Never rejects: whatever is unclear, late, moved or too large is a decline.
 */
export async function askMerchant(
  options: AskMerchantOptions,
  withdrawal: WithdrawalToAuthorize,
): Promise<Authorization> {
  const { url, secret, fetch, clock, timeoutMs = 5000 } = options
  const body = bodyOf(withdrawal)
  const abort = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(secret, { id: withdrawal.withdrawal_id, body, nowMs: clock() }),
      body,
      redirect: 'manual',
      signal: abort,
    })
    if (response.status === 200) return readDecision(await readCapped(response, MOST_REPLY_BYTES))
    await response.body?.cancel()
    return decline(`the reply has status ${response.status}`)
  } catch (error) {
    return decline(describeFault(error))
  }
}
