import { depositAddressRequest } from '#lib/contract/cashier-requests.ts'
import { readLimited } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('cashier.deposit-addresses', async ({ app, request }) => {
  const session = await app.authenticator.authenticateChange(request.headers, 'deposit', null)
  const input = await readLimited(request, depositAddressRequest, {
    rateLimits: app.rateLimits,
    user: session.user_reference_id,
    limit: 'deposit_addresses',
  })
  const address = await app.useCases.getDepositAddress(session, input)
  return jsonAnswer(200, address)
})
