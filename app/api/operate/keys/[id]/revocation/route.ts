import { revokeMerchantKeyRequest } from '#lib/contract/operate/merchant-keys.ts'
import { NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

/** Without a fresh passkey: whoever finds a key in the wrong place must be able to end it at once. */
export const POST = operatorHandler(
  'operate.revokeKey',
  { role: 'admin', changes: true, audit: 'inside' },
  async ({ app, operator, params, request }) => {
    const input = await readJson(request, revokeMerchantKeyRequest)
    await app.console.merchantKeys.revoke(operator, params['id'] ?? '', input)
    return new TextAnswer('', { status: 204, headers: NO_STORE })
  },
)
