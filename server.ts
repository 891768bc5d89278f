/**
 * The production entry: one http server; routes are answered natively, pages by Next
 * (docs/explanation/architecture.md).
 */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configOf, configWarnings } from '#lib/server/runtime/config/config.ts'
import {
  environmentNames,
  faultsText,
  readEnvironment,
  setNodeEnvironment,
  startedByNpm,
} from '#lib/server/runtime/config/environment.ts'
import { misspeltNames } from '#lib/server/runtime/config/misspelt-names.ts'
import { boundHeapGrowth } from '#lib/server/runtime/heap-growth.ts'
import { buildFiles, publicFiles } from '#lib/server/runtime/http/build-files.ts'
import { requestPipeline } from '#lib/server/runtime/http/request-pipeline.ts'
import { loadRoutes } from '#lib/server/runtime/http/route-table.ts'
import { createHttpServer, findPort, finish, openPort } from '#lib/server/runtime/http/server.ts'
import {
  consoleToLog,
  createLog,
  exitAfter,
  logListening,
  secretsOf,
  withoutRedaction,
} from '#lib/server/runtime/log.ts'
import { createMetrics } from '#lib/server/runtime/metrics.ts'
import { openNext } from '#lib/server/runtime/open-next.ts'
import { loadPageStyle } from '#lib/server/runtime/page-style.ts'
import { start } from '#lib/server/runtime/start.ts'
import { listenError, startupError } from '#lib/server/runtime/startup-errors.ts'
import { createStop, onParentGone } from '#lib/server/runtime/stop.ts'
import { openTracing } from '#lib/server/runtime/tracing/open-tracing.ts'
import { readVersion } from '#lib/server/runtime/version.ts'
import { warmPages } from '#lib/server/runtime/warm-pages.ts'

/** Time for requests in flight when the process stops; in development no request is worth the wait. */
const GRACE_MS = 20_000
const DEV_GRACE_MS = 500
/** Next's development server does not always close. */
const NEXT_GRACE_MS = 2000

const onStreams = boundHeapGrowth()

const dev = process.argv.includes('--dev')
setNodeEnvironment(dev ? 'development' : 'production')

const leave = (text: string): never => {
  process.stderr.write(text)
  process.exit(1)
}

const read = readEnvironment()
if (!read.ok) leave(faultsText(read.faults))
else {
  const { settings } = read
  const port = await findPort(settings).catch((error: unknown) => leave(listenError(error, settings)))
  const config = configOf(settings, port)
  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) })
  // In development, the commit of the last build is not what runs.
  const version = dev ? { version: readVersion().version } : readVersion()
  log.info(version, 'starting')
  for (const { message } of [...misspeltNames(environmentNames()), ...configWarnings(config)]) log.warn(message)
  if (!dev) consoleToLog(log)

  const fail = (error: unknown, message: string): void => {
    log.fatal({ err: error }, message)
    void exitAfter(log, 1)
  }
  const tell = (text: string): Promise<never> => {
    process.stderr.write(text)
    return exitAfter(log, 1)
  }
  process.on('uncaughtException', (error) => fail(error, 'uncaught error'))
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'))

  try {
    const metrics = createMetrics(version)
    const tracing = await openTracing(config, log)
    const running = await start(config, log, metrics, version, tracing, onStreams)
    let stopping = false
    let answer: RequestListener = () => undefined
    const server = createHttpServer((request, response) => {
      // Otherwise a proxy that keeps the connection would lose its next request.
      if (stopping) response.setHeader('connection', 'close')
      answer(request, response)
    })
    loadPageStyle()
    const next = await openNext({ dev, server, port })
    if (!dev) await warmPages((request, response) => next.handle(request, response), log)
    answer = requestPipeline({
      publicFiles: publicFiles(join(import.meta.dirname, 'public')),
      config,
      log,
      accessLog: withoutRedaction(log),
      metrics,
      tracing,
      routes: await loadRoutes(join(import.meta.dirname, 'app')),
      next: (request, response) => next.handle(request, response),
      ...(!dev && { files: buildFiles() }),
      dev,
      newId: randomUUID,
    })

    const stop = createStop({
      drainS: dev ? 0 : config.drainS,
      announce() {
        stopping = true
        running.announceStop()
        log.info(
          { drain_s: config.drainS },
          'stopping: no longer ready; streams end next, then running requests finish',
        )
      },
      async end() {
        await running.drain()
        await finish(server, dev ? DEV_GRACE_MS : GRACE_MS)
        await Promise.race([next.close(), sleep(NEXT_GRACE_MS)])
        await running.close()
        log.info('stopped')
        await exitAfter(log, 0)
      },
    })
    const stopOrFail = (): void => void stop().catch((error: unknown) => fail(error, 'could not stop cleanly'))
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopOrFail)
    // npm's shell does not forward signals: if the parent process has ended, `npm start` was stopped.
    // A stop that has begun goes on: the parent's end is no second signal.
    const stopForParent = (): void => {
      if (!stopping) stopOrFail()
    }
    if (startedByNpm()) onParentGone(stopForParent)

    await openPort(server, { ...settings, port }).catch((error: unknown) => tell(listenError(error, settings)))
    logListening(log, { port, publicUrl: config.publicUrl })
  } catch (error) {
    log.fatal({ err: error }, 'could not start')
    await tell(startupError(error))
  }
}
