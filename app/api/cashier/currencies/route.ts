import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { keptJsonResponse } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.currencies', async ({ app, request }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const currencies = await app.useCases.listCurrencies(session)
  return keptJsonResponse(currencies, (list) => ({ currencies: list }))
})
