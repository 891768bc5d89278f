import { endSession, type EndSessionDeps } from '../../merchant/end-session.ts'
import type { Endpoints, ProblemLog } from '../http/handler.ts'

export interface MerchantSessionDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly end: EndSessionDeps
  readonly log: Pick<ProblemLog, 'info'>
}

/** `DELETE /api/merchant/sessions/{session_id}`. */
export const merchantSession = (deps: MerchantSessionDeps): Endpoints => ({
  async DELETE({ request, path, requestId }) {
    deps.requireMerchant(request.headers)
    const session_id = path['session_id'] ?? ''
    await endSession(deps.end, session_id)
    deps.log.info({ request_id: requestId, session_id }, 'a session was ended by the merchant')
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  },
})
