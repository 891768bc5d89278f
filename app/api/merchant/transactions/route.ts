import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { readMerchantTransactionsQuery } from '#lib/server/runtime/http/transactions-query.ts'

export const GET = merchantHandler('merchant.transactions', 'read', async ({ app, url }) => {
  const query = readMerchantTransactionsQuery(url.searchParams)
  const page = await app.useCases.listAllTransactions(query)
  return jsonAnswer(200, page)
})
