import { z } from 'zod'
import { keptText } from '../gateway/kept-text.ts'
import { JsonFault, parseLosslessJson } from '../gateway/lossless-json.ts'
import type { KeptCall } from '../store/types.ts'
import { describeFault, readCapped, signedHeaders } from './outbound-call.ts'
import { cleanUserMessage } from './user-message.ts'

/** The withdrawal in the question to the merchant. */
export interface WithdrawalToAuthorize {
  readonly withdrawal_id: string
  readonly user_reference_id: string
  readonly amount: string
  readonly currency: { readonly id: string; readonly currency_code: string; readonly network: string }
  readonly wallet_address: string
}

export interface AuthorizationAnswer {
  readonly decision: 'approve' | 'decline' | 'postpone'
  /** The merchant's message for the user. */
  readonly user_message: string | null
  /** The reason, for the log. */
  readonly reason: string
  /** False if the decision is a decline because the merchant gave no valid answer. */
  readonly answered: boolean
}

export interface AskMerchantOptions {
  readonly url: string
  readonly secrets: readonly string[]
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  /** The time limit from the call to the last byte of the reply; 5000 by default. */
  readonly timeoutMs?: number
  /** Called after the call, with what is kept of it. */
  readonly onExchange?: (call: KeptCall) => void
}

const MOST_REPLY_BYTES = 64 * 1024

const reply = z.strictObject({
  decision: z.enum(['approve', 'decline', 'postpone']),
  user_message: z.string().nullish(),
})

const decline = (reason: string): AuthorizationAnswer => ({
  decision: 'decline',
  user_message: null,
  reason,
  answered: false,
})

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

/** Reads a reply; any other shape is a decline. */
export function readDecision(bytes: Uint8Array): AuthorizationAnswer {
  let value: unknown
  try {
    // A valid reply has no numbers: a number must not pass as text.
    value = parseLosslessJson(bytes, { readNumber: (number) => ({ number }) })
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return decline(`the reply cannot be read: ${error.message}`)
  }
  const parsed = reply.safeParse(value)
  if (!parsed.success) return decline('the reply is not {decision, user_message?}')
  const { decision, user_message } = parsed.data
  return {
    decision,
    user_message: cleanUserMessage(user_message),
    reason: `the merchant answered ${decision}`,
    answered: true,
  }
}

/**
 * Asks the merchant about a withdrawal (docs/reference/merchant-api.md, "May this be withdrawn?: authorization"). The
 * withdrawal's id is the `webhook-id`, so that the merchant recognizes a repeated call. Never rejects: any failure,
 * redirect, or unreadable, late or too large reply is a decline.
 */
export async function askMerchant(
  options: AskMerchantOptions,
  withdrawal: WithdrawalToAuthorize,
): Promise<AuthorizationAnswer> {
  const { url, secrets, fetch, clock, timeoutMs = 5000, onExchange } = options
  const body = bodyOf(withdrawal)
  const abort = AbortSignal.timeout(timeoutMs)
  const startedMs = clock()
  const headers = signedHeaders(secrets, { id: withdrawal.withdrawal_id, body, nowMs: startedMs })
  const got: { status: number | null; reply: Uint8Array | null } = { status: null, reply: null }
  const ask = async (): Promise<AuthorizationAnswer> => {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: abort })
    got.status = response.status
    got.reply = await readCapped(response, MOST_REPLY_BYTES)
    return readDecision(got.reply)
  }
  const read = await ask().catch((error: unknown) => decline(describeFault(error)))
  const isOther = got.status !== null && got.status !== 200
  const answer = isOther ? decline(`the reply has status ${String(got.status)}`) : read
  const struck = [...secrets, ...headers['webhook-signature'].split(' ')]
  onExchange?.({
    started_ms: startedMs,
    ended_ms: clock(),
    status: got.status,
    fault: answer.answered ? null : answer.reason,
    request: keptText(body, struck),
    reply: got.reply === null ? null : keptText(got.reply, struck),
  })
  return answer
}
