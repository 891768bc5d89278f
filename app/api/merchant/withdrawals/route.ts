import { withdrawalsQuery } from '#lib/contract/merchant-requests.ts'
import { nonEmptyValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/text-response.ts'

export const GET = handler('merchant.withdrawals', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const names = ['status', 'user_reference_id', 'after', 'limit'] as const
  const query = parseInput(withdrawalsQuery, nonEmptyValues(url.searchParams, names))
  const page = await app.useCases.listWithdrawals(query)
  return jsonResponse(200, page)
})
