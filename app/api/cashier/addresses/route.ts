import { addressesQuery } from '#lib/contract/cashier-requests.ts'
import { singleValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.addresses', async ({ app, request, url }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const query = parseInput(addressesQuery, singleValues(url.searchParams, ['currency_id']))
  return jsonAnswer(200, await app.useCases.listAddresses(session, query))
})
