/** `GET /api/cashier/events` on `node:http`: session, limits and position first; what fails, fails before the first byte. */
import type { IncomingMessage } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import type { StreamHub } from '../../stream/hub.ts'
import { serveStream } from '../../stream/sse.ts'
import { readLastEventId } from '../../stream/sse-text.ts'
import { problemAnswer, problemOf } from '../http/problem-response.ts'
import { logProblem, type ProblemLog } from '../http/handler.ts'
import type { SessionDoor } from '../http/session-door.ts'
import { send, type HotRoute } from './webhook.ts'

export interface EventsRouteDeps {
  readonly door: SessionDoor
  readonly hub: StreamHub
  readonly log: ProblemLog
}

const headerText = ({ headers }: IncomingMessage, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

const headersOf = (request: IncomingMessage): Headers => {
  const headers = new Headers()
  for (const name of ['cookie', 'origin', 'sec-fetch-site']) {
    const value = headerText(request, name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

export const eventsRoute =
  ({ door, hub, log }: EventsRouteDeps): HotRoute =>
  async (request, response, requestId) => {
    try {
      if (request.method !== 'GET') throw new Problem('method_not_allowed', 'Allowed: GET.')
      const query = new URL(request.url ?? '', 'http://stream').searchParams
      const session = await door.enter({
        headers: headersOf(request),
        sessionId: query.get('session') ?? headerText(request, 'x-cashier-session'),
        changes: false,
        flow: null,
        limit: 'calls',
      })
      await serveStream(hub, response, {
        user: session.user_reference_id,
        sessionId: session.id,
        after: readLastEventId(headerText(request, 'last-event-id'), query.get('last_event_id')),
        isSessionAlive: () => door.isAlive(session.id),
      })
    } catch (error) {
      const problem = problemOf(error)
      logProblem(log, problem, requestId, 'cashier.events')
      send(
        request,
        response,
        problemAnswer(problem, requestId, problem.code === 'method_not_allowed' ? { allow: 'GET' } : {}),
      )
    }
  }
