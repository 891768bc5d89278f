import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('cashier.expectations', async ({ app, request }) => {
  const session = await app.authenticator.authenticateRead(request.headers)
  return jsonAnswer(200, { expectations: await app.useCases.listExpectations(session) })
})
