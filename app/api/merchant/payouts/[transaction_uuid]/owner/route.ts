import { payoutOwnerRequest } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('merchant.payout_owner', async ({ app, request, params, requestId }) => {
  app.requireMerchant(request.headers)
  const given = await readJson(request, payoutOwnerRequest)
  const payout = await app.useCases.setPayoutOwner(params['transaction_uuid'] ?? '', given)
  const { transaction_uuid, owner, withdrawal_id } = payout
  app.log.info({ request_id: requestId, transaction_uuid, owner, withdrawal_id }, 'the merchant said whose a payout is')
  return jsonAnswer(200, payout)
})
