import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = merchantHandler('merchant.withdrawal', 'read', async ({ app, params, url }) => {
  refuseQuery(url.searchParams)
  const withdrawal = await app.useCases.findWithdrawal(params['withdrawal_id'] ?? '')
  return jsonAnswer(200, withdrawal)
})
