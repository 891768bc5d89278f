import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

export const POST = handler('merchant.delivery_views', async ({ app, request }) => {
  app.requireMerchant(request.headers)
  return jsonAnswer(201, await app.useCases.createDeliveryView())
})
