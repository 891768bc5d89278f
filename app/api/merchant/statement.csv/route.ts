import { readStatementQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'

/** The users' accounts as a file: what they held before, each entry, and what they held after. */
export const GET = handler('merchant.statement', async ({ app, request, requestId, url }) => {
  app.requireMerchant(request.headers)
  const query = readStatementQuery(url.searchParams)
  const lines = await app.useCases.statement(query)
  return csvAnswer({
    name: 'statement.csv',
    lines,
    onError: (error) => void app.problemOf(error, requestId, 'merchant.statement'),
  })
})
