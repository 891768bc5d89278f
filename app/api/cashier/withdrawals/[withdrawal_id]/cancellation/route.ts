import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('cashier.cancellation', async ({ app, request, params }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', 'calls')
  return jsonAnswer(200, await app.useCases.cancelWithdrawal(session, params['withdrawal_id'] ?? ''))
})
