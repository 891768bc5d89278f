import { depositAddressRequest } from '#lib/contract/cashier-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

export const POST = handler('cashier.deposit-addresses', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'deposit', 'deposit_addresses')
  const input = await readJson(request, depositAddressRequest)
  const address = await app.useCases.getDepositAddress(session, input)
  return jsonResponse(200, address)
})
