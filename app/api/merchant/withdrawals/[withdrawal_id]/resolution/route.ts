import { withdrawalResolutionRequest } from '#lib/contract/withdrawal-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = merchantHandler(
  'merchant.resolution',
  'decide',
  async ({ app, request, params, requestId }, caller) => {
    const resolution = await readJson(request, withdrawalResolutionRequest)
    const withdrawal_id = params['withdrawal_id'] ?? ''
    const withdrawal = await app.useCases.resolveWithdrawal(withdrawal_id, resolution, caller)
    const { outcome } = resolution
    app.log.info(
      { request_id: requestId, withdrawal_id, outcome, by: caller.by },
      'a withdrawal was resolved by the merchant',
    )
    return jsonAnswer(200, withdrawal)
  },
)
