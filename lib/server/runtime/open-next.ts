import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))

export interface OpenNext {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/**
 * Next behind our server. Next listens for upgrades on its server: in development for its reload socket; in production
 * it gets a server without a port, so that an upgrade request is answered like any other.
 */
export async function openNext(options: {
  readonly dev: boolean
  readonly server: Server
  readonly port: number
}): Promise<OpenNext> {
  const { dev, server, port } = options
  if (!dev && !existsSync(`${PROJECT}.next/BUILD_ID`)) {
    throw new Error('there is no build: run `npm run build` first, or `npm run dev` for development')
  }
  // Imported here because it reads NODE_ENV when it loads.
  const { default: next } = await import('next')
  const app = next({ dev, dir: PROJECT, hostname: 'localhost', port, httpServer: dev ? server : createServer() })
  await app.prepare()
  const handle = app.getRequestHandler()
  return { handle: (request, response) => handle(request, response), close: () => app.close() }
}
