import { onrampSessionRequest } from '#lib/contract/cashier-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

export const POST = handler('cashier.onramp-sessions', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'buy', 'onramp_sessions')
  const input = await readJson(request, onrampSessionRequest)
  const started = await app.useCases.startOnramp(session, input)
  return jsonResponse(201, started)
})
