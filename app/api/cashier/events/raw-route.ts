/**
 * The stream on Node's own response: a web stream for each of thousands of open streams would cost several times the
 * memory, and would hide how much of it the client has not read yet.
 */
import { getApp } from '#lib/server/runtime/app.ts'
import { headerReader } from '#lib/server/runtime/http/node-request.ts'
import { problemAnswer } from '#lib/server/runtime/http/problem-answer.ts'
import type { RawHandler } from '#lib/server/runtime/http/route-table.ts'
import { writeAnswer } from '#lib/server/runtime/http/write-answer.ts'

export const GET: RawHandler = async (request, response, requestId) => {
  const app = getApp()
  try {
    const headers = headerReader(request.headers)
    const query = new URL(request.url ?? '', 'http://cashier.local').searchParams
    const session = await app.authenticator.authenticateRead(
      headers,
      query.get('session') ?? headers.get('x-cashier-session'),
    )
    const lastEventId = headers.get('last-event-id') || query.get('last_event_id')
    const begin = (given: Readonly<Record<string, string>>): void => {
      // In chunks each event would be written in four pieces. Without, the stream lasts until its connection ends.
      response.removeHeader('transfer-encoding')
      response.writeHead(200, given)
    }
    await app.streamEvents(response, { session, lastEventId, begin })
  } catch (error) {
    writeAnswer(request, response, problemAnswer(app.problemOf(error, requestId, 'cashier.events'), requestId))
  }
}
