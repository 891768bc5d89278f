import { newMerchantKeyRequest } from '#lib/contract/operate/merchant-keys.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { refuseQuery } from '#lib/server/runtime/http/query.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const GET = operatorHandler('operate.keys', { role: 'admin' }, async ({ app, url }) => {
  refuseQuery(url.searchParams)
  return jsonAnswer(200, await app.console.merchantKeys.list())
})

/** The answer has the key, once. */
export const POST = operatorHandler(
  'operate.keys',
  { role: 'admin', changes: true, audit: 'inside', fresh: true },
  async ({ app, operator, request }) => {
    const input = await readJson(request, newMerchantKeyRequest)
    return jsonAnswer(201, await app.console.merchantKeys.make(operator, input))
  },
)
