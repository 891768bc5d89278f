import { readWithdrawalsQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.withdrawals', 'read', async ({ app, url }) => {
  const query = readWithdrawalsQuery(url.searchParams)
  const page = await app.useCases.listWithdrawals(query)
  return jsonAnswer(200, page)
})
