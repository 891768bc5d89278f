import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { keptJsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.currencies', async ({ app, request }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  const currencies = await app.useCases.listCurrencies(session)
  return keptJsonAnswer(currencies, (list) => ({ currencies: list }))
})
