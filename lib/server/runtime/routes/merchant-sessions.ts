import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'
import { readJson } from '../http/request-body.ts'
import { createSession, type CreateSessionDeps } from '../../merchant/create-session.ts'
import { sessionRequest } from '../../merchant/session-request.ts'

export interface MerchantSessionsDeps {
  readonly requireMerchant: (headers: Headers) => void
  readonly create: CreateSessionDeps
  readonly embedOrigins: readonly string[]
  /** Applies what waited for this user; the session stands whether or not that works. */
  readonly userBecameKnown: (user_reference_id: string) => Promise<void>
}

/** `POST /api/merchant/sessions`. */
export function merchantSessions(deps: MerchantSessionsDeps): Endpoints {
  const schema = sessionRequest(deps.embedOrigins)
  return {
    async POST({ request }) {
      deps.requireMerchant(request.headers)
      const input = await readJson(request, schema)
      const created = await createSession(deps.create, input)
      await deps.userBecameKnown(input.user_reference_id)
      return jsonResponse(201, created)
    },
  }
}
