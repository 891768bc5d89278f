import { readQuarantineQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

export const GET = handler('merchant.quarantine', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readQuarantineQuery(url.searchParams)
  const quarantine = await app.useCases.listQuarantine(query)
  return jsonResponse(200, quarantine)
})
