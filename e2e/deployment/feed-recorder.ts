import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const CURSOR_LOST = {
  type: 'urn:cashier:problem:cursor_lost',
  title: 'Cursor lost',
  status: 410,
  detail: 'This cursor is of another database.',
  code: 'cursor_lost',
  request_id: 'r-1',
}

/** A proxy in front of the cashier that keeps the cursors of the feed, and can answer that the next one is lost. */
export async function openFeedRecorder(cashierUrl: string) {
  const cursors: (string | null)[] = []
  let lose = false
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', cashierUrl)
      if (url.pathname.endsWith('/events')) {
        const cursor = url.searchParams.get('after')
        cursors.push(cursor)
        if (lose && cursor !== null) {
          lose = false
          response.writeHead(410, { 'content-type': 'application/problem+json' }).end(JSON.stringify(CURSOR_LOST))
          return
        }
      }
      const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' }
      const body = request.method === 'GET' ? null : await buffer(request)
      const answer = await fetch(url, { method: request.method ?? 'GET', headers, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })().catch((error: unknown) => response.writeHead(502).end(String(error)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cursors,
    loseCursor() {
      lose = true
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
