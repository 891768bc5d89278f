import { readQuarantineQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.quarantine', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readQuarantineQuery(url.searchParams)
  const quarantine = await app.useCases.listQuarantine(query)
  return jsonAnswer(200, quarantine)
})
