import { singleValues } from '#lib/server/runtime/http/query.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The user's live stream. */
export const GET = handler('cashier.events', async ({ app, request, url }) => {
  const { headers } = request
  const query = url.searchParams
  const session = await app.authenticator.authenticateRead(
    headers,
    query.get('session') ?? headers.get('x-cashier-session'),
  )
  const { last_event_id = null } = singleValues(query, ['session', 'last_event_id'])
  return app.openStream(session, headers.get('last-event-id') || last_event_id)
})
