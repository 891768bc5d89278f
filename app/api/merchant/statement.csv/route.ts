import { readStatementQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'

/** The users' accounts as a file: what they held before, each entry, and what they held after. */
export const GET = merchantHandler('merchant.statement', 'read', async ({ app, requestId, url }) => {
  const query = readStatementQuery(url.searchParams)
  const lines = await app.useCases.statement(query)
  return csvAnswer({
    name: 'statement.csv',
    lines,
    onError: (error) => void app.problemOf(error, requestId, 'merchant.statement'),
  })
})
