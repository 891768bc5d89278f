import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))

export interface OpenNext {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** Next behind our server. In development its own socket for reloading is the one upgrade that is let through. */
export async function openNext(options: {
  readonly dev: boolean
  readonly server: Server
  readonly port: number
}): Promise<OpenNext> {
  const { dev, server, port } = options
  if (!dev && !existsSync(`${PROJECT}.next/BUILD_ID`)) {
    throw new Error('there is no build: run `npm run build` first, or `npm run dev` for development')
  }
  // Loaded now, because it looks at NODE_ENV as it loads.
  const { default: next } = await import('next')
  const app = next({ dev, dir: PROJECT, hostname: 'localhost', port, httpServer: server })
  await app.prepare()
  const handle = app.getRequestHandler()
  // Next adds a listener for upgrades of its own; in production nothing may be upgraded.
  if (!dev) server.removeAllListeners('upgrade')
  return { handle: (request, response) => handle(request, response), close: () => app.close() }
}
