import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.balances', async ({ app, request }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const balances = await app.useCases.listBalances(session.user_reference_id)
  return jsonAnswer(200, { balances })
})
