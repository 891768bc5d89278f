import { readQuarantineQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.quarantine', 'read', async ({ app, url }) => {
  const query = readQuarantineQuery(url.searchParams)
  const quarantine = await app.useCases.listQuarantine(query)
  return jsonAnswer(200, quarantine)
})
