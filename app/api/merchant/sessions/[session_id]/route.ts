import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'
import { NO_CONTENT } from '#lib/server/runtime/http/answer.ts'

export const DELETE = merchantHandler('merchant.session', 'sessions', async ({ app, params, requestId }) => {
  const session_id = params['session_id'] ?? ''
  await app.useCases.endSession(session_id)
  app.log.info({ request_id: requestId, session_id }, 'a session was ended by the merchant')
  return NO_CONTENT
})
