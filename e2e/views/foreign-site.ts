/** A site of an origin that nobody knows. Real, because a browser takes a page that a test makes up for a public one. */
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface ForeignSite extends AsyncDisposable {
  readonly url: string
  /** What every address of it answers from now on. */
  show(html: string): void
}

export async function openForeignSite(): Promise<ForeignSite> {
  let page = '<!doctype html><title>Foreign</title>'
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
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
