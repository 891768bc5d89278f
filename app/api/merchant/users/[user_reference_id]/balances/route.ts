import { userPath } from '#lib/contract/merchant-requests.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.balances', 'read', async ({ app, params, url }) => {
  const { user_reference_id } = parseInput(userPath, params)
  refuseQuery(url.searchParams)
  const balances = await app.useCases.listBalances(user_reference_id)
  return jsonAnswer(200, { balances })
})
