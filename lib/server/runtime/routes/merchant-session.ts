import { endSession, type EndSessionDeps } from '../../merchant/end-session.ts'
import type { Endpoints } from '../http/handler.ts'

export interface MerchantSessionDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly end: EndSessionDeps
}

/** `DELETE /api/merchant/sessions/{session_id}`. */
export const merchantSession = (deps: MerchantSessionDeps): Endpoints => ({
  async DELETE({ request, path }) {
    deps.requireMerchant(request.headers)
    await endSession(deps.end, path['session_id'] ?? '')
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  },
})
