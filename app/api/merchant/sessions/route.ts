import { readJson } from '#lib/server/runtime/http/request-body.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'

/** Room for a thousand `currency_ids`. */
const MAX_BODY_BYTES = 64 * 1024

export const POST = merchantHandler('merchant.sessions', 'sessions', async ({ app, request, requestId }) => {
  const input = await readJson(request, app.createSessionRequest, MAX_BODY_BYTES)
  const created = await app.useCases.createSession(input, requestId)
  const { session_id } = created
  const { user_reference_id } = input
  app.log.info({ request_id: requestId, session_id, user_reference_id }, 'a session was created')
  // The session exists already, so an error here must not fail the call.
  await app.useCases.userBecameKnown(user_reference_id).catch((err: unknown) => {
    app.log.error({ err }, 'quarantined events of a new user could not be applied; the next session tries again')
  })
  return jsonAnswer(201, created)
})
