import { depositAddressRequest } from '#lib/contract/cashier-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

export const POST = handler('cashier.deposit-links', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'deposit', 'deposit_addresses')
  const input = await readJson(request, depositAddressRequest)
  const link = await app.useCases.getDepositLink(session, input)
  return jsonResponse(201, link)
})
