import { isProblem, Problem, PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { idempotencyKey, withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { parseInput, readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

/**
 * A newly recorded withdrawal counts towards a limit of its own, which the use case keeps. One that is refused counts as
 * a call; a replay of what was recorded counts nowhere.
 */
export const POST = handler('cashier.withdrawals', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', null)

  const result = await (async () => {
    const input = await readJson(request, withdrawalRequest)
    const key = parseInput(idempotencyKey, { 'Idempotency-Key': request.headers.get('idempotency-key') ?? undefined })
    return app.useCases.requestWithdrawal(session, input, key['Idempotency-Key'])
  })().catch(async (error: unknown) => {
    if (isRefusal(error)) await app.rateLimits.take('calls', session.user_reference_id)
    throw error
  })

  if (result.outcome === 'declined') {
    app.metrics.withdrawal('declined')
    const detail = result.user_message ?? 'The merchant declined this withdrawal.'
    throw new Problem('declined', detail, { withdrawal_id: result.withdrawal_id })
  }
  app.metrics.withdrawal(result.withdrawal.status)
  return jsonResponse(201, result.withdrawal)
})

/** The request itself is at fault; one with the same key that is still under way is not. */
const isRefusal = (error: unknown): boolean =>
  isProblem(error) && PROBLEM_STATUS[error.code] < 500 && error.code !== 'conflict'
