import { canonicalId } from '#lib/contract/canonical-id.ts'
import { payoutOwnerRequest } from '#lib/contract/withdrawal-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = merchantHandler(
  'merchant.payout_owner',
  'payouts',
  async ({ app, request, params, requestId }, { by }) => {
    const given = await readJson(request, payoutOwnerRequest)
    const payout = await app.useCases.setPayoutOwner(canonicalId(params['transaction_uuid'] ?? ''), given, by)
    const { transaction_uuid, owner, withdrawal_id } = payout
    const fields = { request_id: requestId, transaction_uuid, owner, withdrawal_id, by }
    app.log.info(fields, 'the merchant said whose a payout is')
    return jsonAnswer(200, payout)
  },
)
