import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.withdrawal', async ({ app, request, params }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const withdrawal = await app.useCases.getWithdrawal(session, params['withdrawal_id'] ?? '')
  return jsonAnswer(200, withdrawal)
})
