import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'

export const GET = operatorHandler('operate.currencies', { role: 'viewer' }, async ({ app, url }) => {
  refuseQuery(url.searchParams)
  return jsonAnswer(200, { currencies: await app.console.listKnownCurrencies() })
})
