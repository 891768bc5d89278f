import { userPath } from '#lib/contract/merchant-requests.ts'
import { readFeedQuery } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.entries', 'read', async ({ app, params, url }) => {
  const { user_reference_id } = parseInput(userPath, params)
  const query = readFeedQuery(url.searchParams)
  const entries = await app.useCases.listEntries(user_reference_id, query)
  return jsonAnswer(200, entries)
})
