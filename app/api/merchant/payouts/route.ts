import { readPayoutsQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.payouts', 'read', async ({ app, url }) => {
  const query = readPayoutsQuery(url.searchParams)
  const page = await app.useCases.listPayouts(query)
  return jsonAnswer(200, page)
})
