/**
 * The cashier without its pages: the same store, use cases, jobs, request pipeline and route files as `server.ts`. A
 * test can kill and restart it quickly, without a build.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { configOf } from '#lib/server/runtime/config/config.ts'
import { faultsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { requestPipeline } from '#lib/server/runtime/http/request-pipeline.ts'
import { loadRoutes } from '#lib/server/runtime/http/route-table.ts'
import { createHttpServer, findPort, finish, openPort } from '#lib/server/runtime/http/server.ts'
import { createLog, secretsOf } from '#lib/server/runtime/log.ts'
import { createMetrics } from '#lib/server/runtime/metrics.ts'
import { start } from '#lib/server/runtime/start.ts'
import { createStop } from '#lib/server/runtime/stop.ts'
import { openTracing } from '#lib/server/runtime/tracing/open-tracing.ts'
import { readVersion } from '#lib/server/runtime/version.ts'

/** Replaces Next. */
const noPages = (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.writeHead(404).end()
  return Promise.resolve()
}

const read = readEnvironment()
if (!read.ok) {
  process.stderr.write(faultsText(read.faults))
  process.exit(1)
}
const { settings } = read
const port = await findPort(settings)
const config = configOf(settings, port)
const log = createLog({ level: config.logLevel, secrets: secretsOf(config) })
const version = readVersion()
const metrics = createMetrics(version)
const tracing = await openTracing(config, log)
const running = await start(config, log, metrics, version, tracing)
const routes = await loadRoutes(resolve(import.meta.dirname, '../../app'))
const answer = requestPipeline({
  config,
  log,
  accessLog: log,
  metrics,
  tracing,
  routes,
  next: noPages,
  dev: false,
  newId: randomUUID,
})
let stopping = false
const server = createHttpServer((request, response) => {
  if (stopping) response.setHeader('connection', 'close')
  answer(request, response)
})

const stop = createStop({
  drainS: config.drainS,
  announce() {
    stopping = true
    running.announceStop()
  },
  async end() {
    await running.drain()
    await finish(server, 5000)
    await running.close()
    process.exit(0)
  },
})
process.on('SIGTERM', () => void stop())
await openPort(server, { ...settings, port })
process.stdout.write(`listening on http://localhost:${port}\n`)
