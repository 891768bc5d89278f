import { NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { merchantHandler } from '#lib/server/runtime/http/merchant-handler.ts'

export const DELETE = merchantHandler('merchant.session', 'sessions', async ({ app, params, requestId }) => {
  const session_id = params['session_id'] ?? ''
  await app.useCases.endSession(session_id)
  app.log.info({ request_id: requestId, session_id }, 'a session was ended by the merchant')
  return new TextAnswer('', { status: 204, headers: NO_STORE })
})
