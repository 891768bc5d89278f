import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = merchantHandler('merchant.test_event', 'decide', async ({ app }) => {
  const result = await app.useCases.sendTestEvent()
  return jsonAnswer(202, result)
})
