import { quarantineResolution } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = merchantHandler(
  'merchant.quarantine_resolution',
  'decide',
  async ({ app, request, params }, caller) => {
    const resolution = await readJson(request, quarantineResolution)
    const resolved = await app.useCases.resolveQuarantine(params['id'] ?? '', resolution, caller)
    return jsonAnswer(200, resolved)
  },
)
