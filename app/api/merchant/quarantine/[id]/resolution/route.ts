import { quarantineResolution } from '#lib/contract/merchant-requests.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

export const POST = handler('merchant.quarantine_resolution', async ({ app, request, params }) => {
  app.requireMerchant(request.headers)
  const resolution = await readJson(request, quarantineResolution)
  const resolved = await app.useCases.resolveQuarantine(params['id'] ?? '', resolution)
  return jsonAnswer(200, resolved)
})
