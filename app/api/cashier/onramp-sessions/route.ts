import { onrampSessionRequest } from '#lib/contract/cashier-requests.ts'
import { readLimited } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('cashier.onramp-sessions', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'buy', null)
  const input = await readLimited(request, onrampSessionRequest, {
    rateLimits: app.rateLimits,
    user: session.user_reference_id,
    limit: 'onramp_sessions',
  })
  const started = await app.useCases.startOnramp(session, input)
  return jsonAnswer(201, started)
})
