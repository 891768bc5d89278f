import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('merchant.test_event', async ({ app, request }) => {
  app.requireMerchant(request.headers)
  const result = await app.useCases.sendTestEvent()
  return jsonAnswer(202, result)
})
