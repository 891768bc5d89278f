import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const GET = handler('merchant.withdrawal', async ({ app, request, params, url }) => {
  app.requireMerchant(request.headers)
  refuseQuery(url.searchParams)
  const withdrawal = await app.useCases.findWithdrawal(params['withdrawal_id'] ?? '')
  return jsonAnswer(200, withdrawal)
})
