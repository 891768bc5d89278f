import { readWithdrawalsQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.withdrawals', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readWithdrawalsQuery(url.searchParams)
  const page = await app.useCases.listWithdrawals(query)
  return jsonAnswer(200, page)
})
