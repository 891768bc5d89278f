/** Supplies the jobs with their dependencies, and the metrics with the values that they watch. */
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCircuit } from '../gateway/circuit.ts'
import { createDeliveryJob } from '../merchant/delivery-job.ts'
import { createCallBudget } from '../reconcile/call-budget.ts'
import { createCheckUnknownWithdrawals } from '../reconcile/check-unknown-withdrawals.ts'
import { createCheckTotals } from '../reconcile/check-totals.ts'
import { createCompareUser } from '../reconcile/compare-user.ts'
import { createMeasureJob } from '../measures/measure-job.ts'
import { createReconcileJob } from '../reconcile/reconcile-job.ts'
import { createRetentionJob } from '../store/retention-job.ts'
import { createReleaseJob } from '../webhooks/release-job.ts'
import { releasePage } from '../webhooks/release-quarantine.ts'
import type { ClaimedUser, QuarantineRow, WithdrawalRow } from '../store/types.ts'
import type { ComposeOptions } from './compose-options.ts'
import type { SharedParts } from './compose-use-cases.ts'
import { freeBytesOf } from './doctor/check-disk.ts'
import { tracedFetch } from './tracing/traced-calls.ts'
import { NO_TRACING, traced } from './tracing/tracing.ts'

/** Longer than a withdraw call with all tries to store its result. */
const STUCK_MARGIN_MS = 60_000

const REFRESH_EVERY_MS = 300_000
/** The wait after the first failed read of the currencies; it doubles with each further failure. */
const REFRESH_AGAIN_MS = 2000

export interface JobOptions extends Omit<ComposeOptions, 'uptimeMs'>, SharedParts {
  /** Regularly, while this instance is alive. */
  readonly onAlive?: () => Promise<void>
}

/** Reads the list of currencies regularly, and sooner after a failed read. */
function createRefresh(refreshCurrencies: SharedParts['refreshCurrencies']) {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const refresh = async (againMs = REFRESH_AGAIN_MS): Promise<void> => {
    const read = await refreshCurrencies()
    if (stopped) return
    const [waitMs, nextMs] = read ? [REFRESH_EVERY_MS, REFRESH_AGAIN_MS] : [againMs, againMs * 2]
    timer = setTimeout(() => void refresh(nextMs), Math.min(waitMs, REFRESH_EVERY_MS))
  }
  return {
    start: () => void refresh(),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

function watch({ store, metrics, clock, gateway, config }: JobOptions): void {
  metrics.watchReconciliation({
    waiting: () => store.reconciliationDelays.waiting(),
    unreadable: () => store.reconciliationDelays.countUnreadable(),
    oldestWithdrawalS: async (status) => {
      const sinceMs = await store.reconciliationDelays.oldestWithdrawalMs(status)
      return sinceMs === null ? 0 : Math.max(0, clock() - sinceMs) / 1000
    },
    gatewayClockS: () => {
      const offsetMs = gateway.clockOffsetMs()
      return offsetMs === null ? null : offsetMs / 1000
    },
  })
  metrics.watchQuarantine(() => store.quarantine.countOpen())
  const { file } = store.database
  if (file !== null) metrics.watchFreeSpace(() => freeBytesOf(dirname(resolve(file))))
  metrics.watchUnmatchedPayouts(() => store.payouts.countOpen())
  if (config.merchantWebhookUrl !== null) metrics.watchDeliveries(() => store.deliveries.counts())
}

/** Every job of an instance. `stop` resolves when their running work has ended. */
export function composeJobs(options: JobOptions) {
  const { config, log, metrics, tracing = NO_TRACING, instance, clock, gateway, driver, release } = options
  const { ledgerMode } = config
  const { ledgerStartMs } = options
  const store = options.store.lane('jobs')

  const onUnreadable = (user: string, err: unknown): void => {
    log.warn({ err, user }, "a part of a user's list of transactions cannot be read")
  }
  const absenceMs = config.withdrawalAbsenceS * 1000
  const { overdueMs } = config
  const checkTotals = createCheckTotals({
    store,
    statuses: gateway.statuses,
    ledgerMode,
    ledgerStartMs,
    overdueMs,
    clock,
  })
  const lists = { store, gateway, ledgerMode, ledgerStartMs, clock, absenceMs, checkTotals, onUnreadable }
  const checkUnknown = createCheckUnknownWithdrawals(lists)
  const compareUser = createCompareUser(lists)
  const pause = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { ref: false, signal })
  // Not the circuit of the page: failures here must not make the page show stored lists.
  const reconcileCircuit = createCircuit(clock)
  const budget = createCallBudget({
    gateway,
    circuit: reconcileCircuit,
    perSecond: config.reconcileCallsPerS,
    reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
    clock,
    sleep: pause,
  })
  const reconciliation = createReconcileJob({
    store,
    instance,
    clock,
    ...(options.onAlive && { onAlive: options.onAlive }),
    sleep: pause,
    checkUnknown: traced(tracing, 'job check unknown withdrawals', (user: string, ids: readonly string[]) =>
      checkUnknown(user, ids, budget.lists('unknown')),
    ),
    compareUser: traced(tracing, 'job compare a list', (user: ClaimedUser) =>
      compareUser(user, budget.lists(user.priority)),
    ),
    merchantList: budget.merchantList,
    statuses: gateway.statuses,
    ledgerStartMs,
    clockOffsetMs: () => gateway.clockOffsetMs(),
    isAway: () => reconcileCircuit.isDown(),
    resume: traced(tracing, 'job resume a withdrawal', (row: WithdrawalRow) => driver.resume(row)),
    onRound: (counts) => {
      metrics.reconciliation(counts)
      options.reports?.listTold(counts.missedWebhooks)
    },
    onFault: (err, what, user) => {
      log.warn({ err, what, user }, 'a part of reconciliation failed')
    },
    stuckMs: config.gateway.timeoutMs + STUCK_MARGIN_MS,
    callsPerSecond: config.reconcileCallsPerS,
    overdueMs: config.overdueMs,
    absenceMs,
  })

  const releases = createReleaseJob({
    store,
    release: traced(tracing, 'job release from quarantine', (rows: readonly QuarantineRow[]) =>
      releasePage({ ...release, store }, rows),
    ),
    clock,
    holder: instance,
    onFault: (err, quarantine_id) => {
      log.warn({ err, quarantine_id }, 'an event in quarantine could not be applied; it is tried again')
    },
  })

  const deliveries =
    config.merchantWebhookUrl === null
      ? null
      : createDeliveryJob({
          store,
          url: config.merchantWebhookUrl,
          secrets: config.merchantWebhookSecrets,
          otherSecrets: config.merchantApiKeys,
          fetch: tracedFetch(globalThis.fetch, tracing, 'merchant webhook'),
          clock,
          random: Math.random,
          holder: instance,
          log,
          onOutcome: (outcome) => metrics.delivery(outcome),
        })

  const retention = createRetentionJob({
    store,
    days: config.retentionDays,
    sessionMaxMs: config.sessionMaxS * 1000,
    holder: instance,
    log,
    clockOffsetMs: () => gateway.clockOffsetMs(),
    around: (work) => tracing.span('job delete expired rows', {}, work),
  })

  const measuring = createMeasureJob({
    store,
    holder: instance,
    onFault: (err) => {
      log.warn({ err }, 'measuring how long transactions take failed')
    },
  })

  const refresh = createRefresh(options.refreshCurrencies)

  watch({ ...options, store })
  return {
    async start(): Promise<void> {
      // A slow or unreachable gateway must not delay the start.
      refresh.start()
      await reconciliation.start()
      releases.start()
      deliveries?.start()
      retention.start()
      measuring.start()
    },
    async stop(): Promise<void> {
      refresh.stop()
      budget.close()
      await Promise.all([
        reconciliation.stop(),
        releases.stop(),
        deliveries?.stop(),
        retention.stop(),
        measuring.stop(),
      ])
    },
  }
}
