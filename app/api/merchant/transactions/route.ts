import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { readMerchantTransactionsQuery } from '#lib/server/runtime/http/transactions-query.ts'

export const GET = handler('merchant.transactions', async ({ app, request, url }) => {
  app.requireMerchant(request.headers)
  const query = readMerchantTransactionsQuery(url.searchParams)
  const page = await app.useCases.listAllTransactions(query)
  return jsonAnswer(200, page)
})
