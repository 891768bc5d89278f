import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'

/** The view may send deliveries again, so its maker must be allowed to. */
export const POST = merchantHandler('merchant.delivery_views', 'decide', async ({ app }) =>
  jsonAnswer(201, await app.useCases.createDeliveryView()),
)
