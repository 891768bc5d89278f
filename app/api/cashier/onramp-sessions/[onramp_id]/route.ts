import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.onramp-session', async ({ app, request, params }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const started = await app.useCases.getOnramp(session, params['onramp_id'] ?? '')
  return jsonAnswer(200, started)
})
