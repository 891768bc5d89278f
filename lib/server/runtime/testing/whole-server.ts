/** The whole process except Next, with its real use cases and jobs, in this process. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { requestPipeline } from '../http/request-pipeline.ts'
import { loadRoutes } from '../http/route-table.ts'
import { finish, listen } from '../http/server.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { start } from '../start.ts'
import { TEST_VERSION } from './config.ts'

export interface WholeServer {
  readonly url: string
  readonly config: Config
  /** Every line that was logged. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

const APP_FOLDER = resolve(import.meta.dirname, '../../../../app')

const aPage = (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.end('a page')
  return Promise.resolve()
}

/** Starts the server. Only one may run at a time, since it is the application of its process. */
export async function startWholeServer(config: Config): Promise<WholeServer> {
  const lines: string[] = []
  const log = createLog({
    level: 'debug',
    secrets: [],
    destination: { write: (line: string) => void lines.push(line) },
  })
  const metrics = createMetrics(TEST_VERSION)
  const running = await start(config, log, metrics, TEST_VERSION)
  const routes = await loadRoutes(APP_FOLDER)
  const pipeline = requestPipeline({
    config,
    log,
    accessLog: log,
    metrics,
    routes,
    next: aPage,
    dev: false,
    newId: randomUUID,
  })
  const { server, port } = await listen({ port: 0, host: '127.0.0.1' }, pipeline)
  return {
    url: `http://127.0.0.1:${port}`,
    config,
    lines,
    async stop() {
      await running.drain()
      await finish(server, 1000)
      await running.close()
    },
  }
}
