import { z } from 'zod'
import { Problem } from '#lib/contract/problems.ts'
import type { Endpoints } from '../http/handler.ts'
import { enterToChange } from '../http/page-call.ts'
import { jsonResponse } from '../http/problem-response.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { parseInput, readJson } from '../http/request-body.ts'
import type { CashierReadDeps } from './cashier-currencies.ts'

const order = z.object({
  currency_id: z.string().min(1).max(100),
  amount: z.string().max(200),
  wallet_address: z.string().max(1000),
})

const key = z.object({
  'Idempotency-Key': z
    .string({ error: 'is required' })
    .min(8, { error: 'must have 8 to 128 characters' })
    .max(128, { error: 'must have 8 to 128 characters' }),
})

export interface CashierWithdrawalsDeps extends CashierReadDeps<'requestWithdrawal'> {
  readonly rateLimits: RateLimits
  /** The status that was answered, or `declined`; for metrics. */
  readonly count: (status: string) => void
}

/** `POST /api/cashier/withdrawals`. Only what is newly recorded counts towards the limit. */
export const cashierWithdrawals = ({ door, useCases, rateLimits, count }: CashierWithdrawalsDeps): Endpoints => ({
  async POST(call) {
    const session = await enterToChange(door, call, 'withdraw', null)
    const input = await readJson(call.request, order)
    const named = parseInput(key, { 'Idempotency-Key': call.request.headers.get('idempotency-key') ?? undefined })

    const admit = (): Promise<void> => rateLimits.take('withdrawals', session.user_reference_id)
    const answer = await useCases.requestWithdrawal(session, input, named['Idempotency-Key'], admit)

    if (answer.outcome === 'declined') {
      count('declined')
      const words = answer.user_message ?? 'The merchant declined this withdrawal.'
      throw new Problem('declined', words, { withdrawal_id: answer.withdrawal_id })
    }
    count(answer.withdrawal.status)
    return jsonResponse(201, answer.withdrawal)
  },
})
