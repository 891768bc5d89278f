import { userPath } from '#lib/contract/merchant-requests.ts'
import { readFeedQuery } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.entries', async ({ app, request, params, url }) => {
  app.requireMerchant(request.headers)
  const { user_reference_id } = parseInput(userPath, params)
  const query = readFeedQuery(url.searchParams)
  const entries = await app.useCases.listEntries(user_reference_id, query)
  return jsonAnswer(200, entries)
})
