import { readFeedQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.events', 'read', async ({ app, url }) => {
  const query = readFeedQuery(url.searchParams)
  const feed = await app.useCases.listMerchantEvents(query)
  return jsonAnswer(200, feed)
})
