import { NO_CONTENT } from '#lib/server/runtime/http/answer.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

export const DELETE = handler('merchant.session', async ({ app, request, params, requestId }) => {
  app.requireMerchant(request.headers)
  const session_id = params['session_id'] ?? ''
  await app.useCases.endSession(session_id)
  app.log.info({ request_id: requestId, session_id }, 'a session was ended by the merchant')
  return NO_CONTENT
})
