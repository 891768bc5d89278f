/**
 * The cashier without its pages: the same store, use cases, jobs and front as `server.ts`, with every route of `/api`
 * and `/launch` on plain `node:http`. So a test can kill and start it in a moment, and needs no build.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { getApp } from '#lib/server/runtime/app.ts'
import { configOf } from '#lib/server/runtime/config/config.ts'
import { faultsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { createFront } from '#lib/server/runtime/http/front.ts'
import { matchRoute } from '#lib/server/runtime/http/match-route.ts'
import { finish, listen } from '#lib/server/runtime/http/server.ts'
import { createLog, secretsOf } from '#lib/server/runtime/log.ts'
import { createMetrics } from '#lib/server/runtime/metrics.ts'
import { start } from '#lib/server/runtime/start.ts'

function webRequest(request: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const method = request.method ?? 'GET'
  const bodiless = method === 'GET' || method === 'HEAD'
  return new Request(new URL(request.url ?? '/', 'http://cashier.test'), {
    method,
    headers,
    ...(!bodiless && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }),
  })
}

/** In the place of Next: the routes that its files forward to. */
async function routes(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = matchRoute((request.url ?? '').split('?', 1)[0] ?? '')
  const route = name === null || name === 'cashier.events' || name === 'webhooks.gateway' ? 'not-found' : name
  const answer = await getApp().routes[route](webRequest(request))
  response.statusCode = answer.status
  for (const [header, value] of answer.headers) if (header !== 'set-cookie') response.setHeader(header, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.end(Buffer.from(await answer.arrayBuffer()))
}

const read = readEnvironment()
if (!read.ok) {
  process.stderr.write(faultsText(read.faults))
  process.exit(1)
}
const { settings } = read
const starting = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(503, { 'retry-after': '1' }).end()
}
let answer = starting
const { server, port } = await listen(settings, (request, response) => answer(request, response))
const config = configOf(settings, port)
const log = createLog({ level: config.logLevel, secrets: secretsOf(config) })
const metrics = createMetrics()
const running = await start(config, log, metrics)
answer = createFront({ config, log, metrics, hot: running.hot, next: routes, dev: false, newId: randomUUID })

process.once('SIGTERM', () => {
  void (async () => {
    await running.drain()
    await finish(server, 5000)
    await running.close()
    process.exit(0)
  })()
})
process.stdout.write(`listening on http://localhost:${port}\n`)
