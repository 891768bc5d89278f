import { passkeyAnswer } from '#lib/contract/operate/access.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { operatorView } from '#lib/server/runtime/http/operator-view.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'

export const POST = operatorHandler(
  'operate.touch',
  { role: 'viewer', changes: true, audit: null },
  async ({ app, operator, request }) => {
    const { passkey } = await readJson(request, passkeyAnswer)
    await app.console.touch(operator, passkey)
    const touched = await app.operatorAuthenticator.authenticate(request.headers, true, { role: 'viewer' })
    return jsonAnswer(200, operatorView(touched))
  },
)
