import { invitationRequest } from '#lib/contract/operate/access.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { signInHandler } from '#lib/server/runtime/http/sign-in-handler.ts'

export const POST = signInHandler('operate.invitationOptions', async ({ app, request }) => {
  const { token } = await readJson(request, invitationRequest)
  return jsonAnswer(200, await app.console.invitationOptions(token))
})
