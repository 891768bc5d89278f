/**
 * The cashier with every request answered by Next, route files included: `server.ts` answers those natively, so only
 * this server shows that Next's own build of them works. Needs `npm run build`.
 */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { configOf } from '#lib/server/runtime/config/config.ts'
import { faultsText, readEnvironment } from '#lib/server/runtime/config/environment.ts'
import { INTERNAL } from '#lib/server/runtime/http/inbound-headers.ts'
import { finish, listen } from '#lib/server/runtime/http/server.ts'
import { createLog, secretsOf } from '#lib/server/runtime/log.ts'
import { createMetrics } from '#lib/server/runtime/metrics.ts'
import { openNext } from '#lib/server/runtime/open-next.ts'
import { start } from '#lib/server/runtime/start.ts'
import { readVersion } from '#lib/server/runtime/version.ts'

const read = readEnvironment()
if (!read.ok) {
  process.stderr.write(faultsText(read.faults))
  process.exit(1)
}
let answer: RequestListener = (_request, response) => response.writeHead(503).end()
const { server, port } = await listen(read.settings, (request, response) => answer(request, response))
const config = configOf(read.settings, port)
const log = createLog({ level: config.logLevel, secrets: secretsOf(config) })
const version = readVersion()
const running = await start(config, log, createMetrics(version), version)
const next = await openNext({ dev: false, server, port })
answer = (request, response) => {
  const requestId = randomUUID()
  request.headers[INTERNAL.requestId] = requestId
  response.setHeader(INTERNAL.requestId, requestId)
  void next.handle(request, response)
}

process.once('SIGTERM', () => {
  void (async () => {
    await running.drain()
    await finish(server, 5000)
    await next.close()
    await running.close()
    process.exit(0)
  })()
})
process.stdout.write(`listening on http://localhost:${port}\n`)
