import { passkeyAnswer } from '#lib/contract/operate/access.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { signedInAnswer, signInHandler } from '#lib/server/runtime/http/sign-in-handler.ts'

export const POST = signInHandler('operate.signIn', async ({ app, request, requestId }) => {
  const { passkey } = await readJson(request, passkeyAnswer)
  const previous = await app.operatorCookie.read(request.headers.get('cookie'))
  const begun = await app.console.signIn(passkey, previous)
  app.log.info({ request_id: requestId, operator_id: begun.operator.id }, 'an operator has signed in')
  return signedInAnswer(app, begun)
})
