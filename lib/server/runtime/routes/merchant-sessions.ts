import type { Endpoints, ProblemLog } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import { createSession, type CreateSessionDeps } from '../../merchant/create-session.ts'
import { sessionRequest } from '../../merchant/session-request.ts'

export interface MerchantSessionsDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly create: CreateSessionDeps
  readonly embedOrigins: readonly string[]
  readonly log: Pick<ProblemLog, 'info'>
  /** Applies what waited for this user; the session stands whether or not that works. */
  readonly userBecameKnown: (user_reference_id: string) => Promise<void>
}

/** `POST /api/merchant/sessions`. */
export function merchantSessions(deps: MerchantSessionsDeps): Endpoints {
  const schema = sessionRequest(deps.embedOrigins)
  return {
    async POST({ request, requestId }) {
      deps.requireMerchant(request.headers)
      const input = await readJson(request, schema)
      const created = await createSession(deps.create, input)
      const { session_id } = created
      const who = { request_id: requestId, session_id, user_reference_id: input.user_reference_id }
      deps.log.info(who, 'a session was created')
      await deps.userBecameKnown(input.user_reference_id)
      return jsonResponse(201, created)
    },
  }
}
