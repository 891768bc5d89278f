import { addressNameRequest } from '#lib/contract/cashier-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer, NO_CONTENT } from '#lib/server/runtime/http/answer.ts'

export const PUT = handler('cashier.address', async ({ app, request, params }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', 'calls')
  const input = await readJson(request, addressNameRequest)
  return jsonAnswer(200, await app.useCases.nameAddress(session, params['address_id'] ?? '', input))
})

export const DELETE = handler('cashier.address', async ({ app, request, params }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'withdraw', 'calls')
  await app.useCases.forgetAddress(session, params['address_id'] ?? '')
  return NO_CONTENT
})
