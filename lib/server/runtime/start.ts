/** Starts everything behind the requests: store, limits, use cases, jobs. */
import { randomBytes, randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import { findEndedSessions, sessionCheckMs } from '../merchant/ended-sessions.ts'
import { pendingMigrations } from '../store/database/migrate.ts'
import { NewerSchemaError } from '../store/database/schema-guard.ts'
import { openStore } from '../store/store.ts'
import { createStreamHub } from '../stream/hub.ts'
import { setApp } from './app.ts'
import { compose } from './compose.ts'
import { composeUseCases } from './compose-use-cases.ts'
import type { Config } from './config/config.ts'
import { memoryRateLimits, NO_LIMITS, sharedRateLimits } from './http/rate-limits.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { NO_TRACING, type Tracing } from './tracing/tracing.ts'
import type { Version } from './version.ts'

export interface Running {
  /** Reports not ready from now on; everything is still answered. */
  announceStop(): void
  /** Reports not ready, and ends the streams. */
  drain(): Promise<void>
  /** Ends the jobs and closes the store; call it once the requests are finished. */
  close(): Promise<void>
}

/** Opens the store, runs its migrations, and sets the application where route files and pages find it. */
export async function start(
  config: Config,
  log: Log,
  metrics: Metrics,
  version: Version,
  tracing: Tracing = NO_TRACING,
): Promise<Running> {
  const clock = Date.now
  const store = await openStore({
    url: config.databaseUrl,
    clock,
    deliver: config.merchantWebhookUrl !== null,
    onMigrationWait: () => {
      log.warn({}, 'the migrations wait for another program that reads the database, such as a dump')
    },
  })
  try {
    const { pool } = store.database
    const limited = pool === null ? memoryRateLimits() : await sharedRateLimits(pool)
    const { useCases, ...jobs } = composeUseCases({
      config,
      store,
      log,
      metrics,
      tracing,
      instance: randomUUID(),
      clock,
      uptimeMs: () => uptime() * 1000,
    })
    const limits = { idleMs: config.sessionIdleS * 1000, maxMs: config.sessionMaxS * 1000 }
    const hub = createStreamHub({
      store,
      log,
      endedSessions: findEndedSessions({ sessions: store.lane('jobs').sessions, limits, clock }),
      sessionCheckMs: sessionCheckMs(limits),
      ...(!config.rateLimit && { streamsPerSession: Infinity }),
    })
    metrics.watchStreams(() => hub.size)

    let stopping = false
    const readiness = async (): Promise<Record<string, readonly string[]>> => {
      if (stopping) return { process: ['is stopping'] }
      try {
        // The lane that calls and jobs cannot fill. Where a newer version is found, nothing more is written.
        const { lanes, guard } = store.database
        const pending = await pendingMigrations({ db: lanes.webhooks }, guard)
        return pending.length === 0 ? {} : { migrations: pending.map((name) => `${name} has not run`) }
      } catch (error) {
        log.warn({ err: error }, 'the store does not answer')
        if (error instanceof NewerSchemaError) return { migrations: [error.message] }
        return { store: ['does not answer'] }
      }
    }

    const app = compose({
      config,
      log,
      metrics,
      sessions: store.sessions,
      hub,
      useCases,
      rateLimits: config.rateLimit ? limited : NO_LIMITS,
      readiness,
      version,
      clock,
      newId: randomUUID,
      randomBytes,
    })
    await jobs.start()
    setApp(app)
    return {
      announceStop() {
        stopping = true
      },
      async drain() {
        stopping = true
        await hub.close()
      },
      async close() {
        try {
          await jobs.stop()
        } catch (error) {
          // Another instance or the next start resumes what a job could not finish.
          log.warn({ err: error }, 'the jobs did not end cleanly')
        }
        await store.close()
        await tracing.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
