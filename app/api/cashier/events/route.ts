import { PassThrough, Readable } from 'node:stream'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** The user's live stream. `server.ts` answers it by `raw-route.ts`. */
export const GET = handler('cashier.events', async ({ app, request, url }) => {
  const { headers, signal } = request
  const query = url.searchParams
  const session = await app.authenticator.authenticateRead(
    headers,
    query.get('session') ?? headers.get('x-cashier-session'),
  )
  const lastEventId = headers.get('last-event-id') || query.get('last_event_id')

  const out = new PassThrough()
  signal.addEventListener('abort', () => out.destroy(), { once: true })
  const answerHeaders = new Headers()
  const begin = (given: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(given)) answerHeaders.set(name, value)
  }
  await app.streamEvents(out, { session, lastEventId, begin })
  return new Response(Readable.toWeb(out) as ReadableStream, { headers: answerHeaders })
})
