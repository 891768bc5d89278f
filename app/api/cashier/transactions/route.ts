import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { keptJsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { readTransactionsQuery } from '#lib/server/runtime/http/transactions-query.ts'

export const GET = handler('cashier.transactions', async ({ app, request, url }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const query = readTransactionsQuery(url.searchParams)
  const page = await app.useCases.listTransactions(session, query)
  return keptJsonAnswer(page, (same) => same)
})
