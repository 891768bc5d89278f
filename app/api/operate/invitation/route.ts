import { invitationAcceptance } from '#lib/contract/operate/access.ts'
import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { signedInAnswer, signInHandler } from '#lib/server/runtime/http/sign-in-handler.ts'

/** An attestation is larger than other bodies. */
const MAX_BODY_BYTES = 24 * 1024

export const POST = signInHandler('operate.invitation', async ({ app, request, requestId }) => {
  const acceptance = await readJson(request, invitationAcceptance, MAX_BODY_BYTES)
  const begun = await app.console.acceptInvitation(acceptance)
  app.log.info({ request_id: requestId, operator_id: begun.operator.id }, 'an invitation to the console was accepted')
  return signedInAnswer(app, begun)
})
