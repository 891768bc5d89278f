/**
 * A site of an unknown origin. It is a real server, because a browser treats a page mocked by a test as a public one.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface ForeignSite extends AsyncDisposable {
  readonly url: string
  /** Sets the response of every path. */
  show(html: string): void
}

export async function openForeignSite(): Promise<ForeignSite> {
  let page = '<!doctype html><title>Foreign</title>'
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    show: (html) => {
      page = html
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
