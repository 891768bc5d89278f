/**
 * Composes and starts everything behind the requests, in one direction: store, streams, use cases, jobs, and the
 * application that route files and pages see.
 */
import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepTrying } from '../cashier/keep-trying.ts'
import { createSentWithdrawals, type SentWithdrawals } from '../cashier/sent-withdrawals.ts'
import { createSessionUses } from '../merchant/session-uses.ts'
import { createInstanceReports } from '../operate/exceptions/instance-reports.ts'
import { durabilityFaults } from '../store/database/server-facts.ts'
import { openStore } from '../store/store.ts'
import { sharedCallCounts } from '../store/tables/call-counts.ts'
import type { Store } from '../store/types.ts'
import { setApp, type Readiness } from './app.ts'
import { composeApp } from './compose-app.ts'
import { composeConsole, composeConsoleJobs } from './compose-console.ts'
import { composeJobs } from './compose-jobs.ts'
import { sessionLimits } from './compose-sessions.ts'
import { composeUseCases } from './compose-use-cases.ts'
import type { Config } from './config/config.ts'
import { createMerchantAuthenticator } from './http/merchant-authenticator.ts'
import { memoryRateLimits, NO_LIMITS, sharedRateLimits } from './http/rate-limits.ts'
import { sessionCookies } from './http/session-cookie.ts'
import { BooksError, checkBooks, keepBooks } from './keep-books.ts'
import { keepLedgerStart } from './ledger-start.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { openHub } from './open-hub.ts'
import { createReadiness } from './readiness.ts'
import { NO_TRACING, type Tracing } from './tracing/tracing.ts'
import type { Version } from './version.ts'

export interface Running {
  /** Reports not ready from now on; every request is still answered. */
  announceStop(): void
  /** Reports not ready, and ends the streams. */
  drain(): Promise<void>
  /** Ends the jobs and closes the store; call it once the requests are finished. */
  close(): Promise<void>
}

const LOST =
  "the database has lost commits: users' withdrawals wait until the gateway's lists were compared with the books, and cursors of the feed are refused"

/** Withdrawals that this instance has sent, or asked the merchant about, and that the database has lost, come back. */
async function recordLost(store: Store, sent: SentWithdrawals, log: Log): Promise<void> {
  await keepTrying(store, async () => {
    const count = await sent.recordLost(store, (err, withdrawal_id) => {
      log.error({ err, withdrawal_id }, 'a withdrawal that the database has lost is not recorded again')
    })
    if (count > 0) log.error({ withdrawals: count }, 'withdrawals that the database has lost are recorded again')
  })
}

/** Opens the store, runs its migrations, and sets the application for route files and pages. */
export async function start(
  config: Config,
  log: Log,
  metrics: Metrics,
  version: Version,
  tracing: Tracing = NO_TRACING,
  onStreams: (streams: number) => void = () => undefined,
): Promise<Running> {
  const clock = Date.now
  const store = await openStore({
    url: config.databaseUrl,
    clock,
    deliver: config.merchantWebhookUrl !== null,
    replicated: config.databaseReplicated,
    partitions: config.databasePartitions,
    onMigrated: (migration) => log.info({ migration }, 'a migration has run'),
    onMigrationWait: () => {
      log.warn({}, 'the migrations wait for another program that reads the database, such as a dump')
    },
  })
  try {
    const server = await store.database.serverFacts()
    if (server !== null)
      for (const fault of durabilityFaults(server, config.databaseReplicated))
        log.warn(fault, 'the database is not safe')
    const sent = createSentWithdrawals(() => performance.now())
    await store.watchLosses((loss) => {
      metrics.lostCommits()
      log.error({ ...loss }, LOST)
      void recordLost(store, sent, log)
    })
    const ledgerStartMs = await keepLedgerStart(store, config.ledgerStartMs, clock())
    if (ledgerStartMs > clock())
      log.warn({ ledger_start: new Date(ledgerStartMs) }, 'LEDGER_START is in the future: nothing is booked until then')
    const name = randomUUID()
    const mode = config.ledgerMode
    await keepBooks({ store, mode, instance: name, sleep, log })
    const { pool } = store.database
    const limited = pool === null ? memoryRateLimits() : sharedRateLimits(sharedCallCounts(pool))
    const reports = createInstanceReports({
      store: store.lane('jobs'),
      instance: name,
      clock,
      onFault: (err) => {
        log.warn({ err }, 'what this instance reports to the console could not be stored')
      },
    })
    const instance = { config, ledgerStartMs, store, log, metrics, tracing, instance: name, clock, reports }
    const { sessions } = store.lane('jobs')
    const uses = createSessionUses({
      sessions,
      limits: sessionLimits(config),
      clock,
      onFault: (err) => log.warn({ err }, 'the use of sessions could not be stored'),
    })
    const merchants = createMerchantAuthenticator({
      environmentKeys: config.merchantApiKeys,
      keys: store.merchantKeys,
      uptimeMs: () => performance.now(),
      clock,
      onFault: (err) => log.warn({ err }, 'the use of a key could not be stored'),
    })
    const hub = openHub({ ...instance, sessions, noteUse: uses.note, onStreams })
    const cookies = sessionCookies(config.sessionSecrets, config.sessionMaxS)
    const { useCases, shared } = composeUseCases({
      ...instance,
      uptimeMs: () => uptime() * 1000,
      sent,
      cookies,
      onSessionEnded: (id) => hub.endSession(id),
    })
    const jobs = composeJobs({
      ...instance,
      ...shared,
      onAlive: () =>
        checkBooks(store.lane('jobs'), mode).catch((error: unknown) => {
          if (!(error instanceof BooksError)) throw error
          // Ends the process: it would book by the other rule.
          setImmediate(() => {
            throw error
          })
        }),
    })
    const consoleJobs = composeConsoleJobs({ ...instance, store: store.lane('jobs') })
    const console = composeConsole({
      ...instance,
      version,
      gateway: shared.gateway,
      endSession: useCases.endSession,
      onKeysChanged: () => merchants.keysChanged(),
      acts: shared.acts,
      clockOffset: () => shared.gateway.clockOffsetMs(),
    })

    let stopping = false
    const ready = createReadiness(instance)
    const readiness: Readiness = () => (stopping ? Promise.resolve({ process: ['is stopping'] }) : ready())

    const rateLimits = config.rateLimit ? limited : NO_LIMITS
    const app = composeApp({
      ...instance,
      hub,
      noteUse: uses.note,
      cookies,
      merchants,
      useCases,
      console,
      rateLimits,
      readiness,
      version,
    })
    await jobs.start()
    if (config.operators) consoleJobs.start()
    setApp(app)
    // If it is not ready, the log says why.
    void readiness()
    return {
      announceStop() {
        stopping = true
      },
      async drain() {
        stopping = true
        await Promise.all([hub.close(), console.closeChanges()])
      },
      async close() {
        try {
          await Promise.all([jobs.stop(), consoleJobs.stop()])
          await shared.gateway.close()
        } catch (error) {
          // Another instance or the next start resumes unfinished jobs.
          log.warn({ err: error }, 'the jobs did not end cleanly')
        }
        await uses.flush()
        await merchants.flush()
        await store.close()
        await tracing.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
