import { userPath } from '#lib/contract/merchant-requests.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.balances', async ({ app, request, params, url }) => {
  app.requireMerchant(request.headers)
  const { user_reference_id } = parseInput(userPath, params)
  refuseQuery(url.searchParams)
  const balances = await app.useCases.listBalances(user_reference_id)
  return jsonAnswer(200, { balances })
})
