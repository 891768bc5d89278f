import { getApp, type Handler } from './app.ts'
import type { ForwardedRouteName } from './route-names.ts'

/** What a route file of Next's exports: every method goes to the one handler, which answers 405 for those it lacks. */
export function forward(
  name: ForwardedRouteName,
): Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS', Handler> {
  const answer: Handler = (request) => getApp().routes[name](request)
  return { GET: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, HEAD: answer, OPTIONS: answer }
}
