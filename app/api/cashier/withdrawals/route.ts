import { isProblem, Problem, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { idempotencyKey, withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { parseInput, readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/**
 * The use case counts and limits new withdrawals. A request that is refused because of the balance, or because the
 * outcome of an equal withdrawal is unknown, counts towards `withdrawals`; any other refused request counts as a call.
 * A replay of a recorded withdrawal counts nowhere.
 */
export const POST = handler('cashier.withdrawals', async ({ app, request, requestId }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', null)

  const result = await (async () => {
    const input = await readJson(request, withdrawalRequest)
    const key = parseInput(idempotencyKey, { 'Idempotency-Key': request.headers.get('idempotency-key') ?? undefined })
    return app.useCases.requestWithdrawal(session, input, key['Idempotency-Key'], requestId)
  })().catch(async (error: unknown) => {
    const limit = limitOf(error)
    if (limit !== null) await app.rateLimits.take(limit, session.user_reference_id)
    throw error
  })

  if (result.outcome === 'declined') {
    app.metrics.withdrawal('declined')
    const detail = result.user_message ?? 'The merchant declined this withdrawal.'
    throw new Problem('declined', detail, { withdrawal_id: result.withdrawal_id })
  }
  app.metrics.withdrawal(result.withdrawal.status)
  return jsonAnswer(201, result.withdrawal)
})

/** Null if the request is not at fault, for example while another request with the same key is in progress. */
function limitOf(error: unknown): 'withdrawals' | 'calls' | null {
  if (!isProblem(error) || PROBLEM_STATUS[error.code] >= 500 || error.code === 'conflict') return null
  return error.code === 'insufficient_balance' || error.code === 'outcome_unknown' ? 'withdrawals' : 'calls'
}
