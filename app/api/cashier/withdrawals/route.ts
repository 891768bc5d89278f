import { Problem } from '#lib/contract/problems.ts'
import { idempotencyKey, withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { parseInput, readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

/** Only a newly recorded withdrawal counts towards the limit, so the use case decides when to count. */
export const POST = handler('cashier.withdrawals', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', null)

  const input = await readJson(request, withdrawalRequest)
  const key = parseInput(idempotencyKey, { 'Idempotency-Key': request.headers.get('idempotency-key') ?? undefined })

  const count = (): Promise<void> => app.rateLimits.take('withdrawals', session.user_reference_id)
  const result = await app.useCases.requestWithdrawal(session, input, key['Idempotency-Key'], count)

  if (result.outcome === 'declined') {
    app.metrics.withdrawal('declined')
    const detail = result.user_message ?? 'The merchant declined this withdrawal.'
    throw new Problem('declined', detail, { withdrawal_id: result.withdrawal_id })
  }
  app.metrics.withdrawal(result.withdrawal.status)
  return jsonResponse(201, result.withdrawal)
})
