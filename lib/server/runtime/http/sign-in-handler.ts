/** Calls of the console before anybody is signed in, and the answer that signs in. */
import type { OperatorOfSession } from '../../store/types.ts'
import type { App } from '../app.ts'
import { jsonAnswer, type Answer, type TextAnswer } from './answer.ts'
import { activeOperator, OPERATOR_LIMITS } from './authenticate-operator.ts'
import { clientAddressKey } from './client-address.ts'
import { operatorView } from './operator-view.ts'
import { requireOwnPage } from './require-origin.ts'
import { handler, type Call, type RouteHandler } from './route-handler.ts'

/**
 * A call that needs no session: it must come from our own page, and counts for the client's address.
 * @param route the route's name in metrics and log
 */
export const signInHandler = (route: string, endpoint: (call: Call) => Promise<Answer>): RouteHandler =>
  handler(route, async (call) => {
    const { app, request, client } = call
    await app.operatorAuthenticator.requireConsole()
    requireOwnPage(request.headers, app.pages.settings.publicUrl, true)
    await app.rateLimits.take('operator_sign_ins', clientAddressKey(client))
    return endpoint(call)
  })

/** Tells the page who is signed in now, with the session's cookie. */
export async function signedInAnswer(app: App, begun: OperatorOfSession): Promise<TextAnswer> {
  const { session } = begun
  const operator = activeOperator(begun, session.last_used_ms)
  if (operator === null) throw new Error('a session that has just begun is not active')
  const cookie = await app.operatorCookie.seal(session.id, OPERATOR_LIMITS.maxMs / 1000)
  return jsonAnswer(200, operatorView(operator), [cookie])
}
