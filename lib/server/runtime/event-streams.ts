import type { StreamHub } from '../stream/hub.ts'
import { serveStream } from '../stream/sse.ts'
import { readLastEventId } from '../stream/sse-text.ts'
import type { App } from './app.ts'

/** `GET /api/cashier/events`, once its caller is known: the user's stream, ended with the session. */
export const eventStreams =
  (hub: StreamHub): App['streamEvents'] =>
  (out, { session, lastEventId, begin }) =>
    serveStream(hub, out, {
      user: session.user_reference_id,
      sessionId: session.id,
      after: readLastEventId(lastEventId, null),
      ...(begin && { begin }),
    })
