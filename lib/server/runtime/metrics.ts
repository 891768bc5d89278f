import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CallReport, LeftOutOf } from '../gateway/client.ts'
import { OPERATIONS } from '../gateway/operations.ts'
import type { ReconcileCounts } from '../reconcile/reconcile-job.ts'
import type { WaitingUsers } from '../store/types.ts'
import type { Version } from './version.ts'

export interface Metrics {
  readonly contentType: string
  /** Prometheus text. */
  text(): Promise<string>
  /** @param route a name from a bounded set, never a path */
  request(route: string, method: string, status: number, seconds: number): void
  gatewayCall(report: CallReport): void
  /** Entries of the gateway's replies that were left out. */
  leftOut(list: LeftOutOf, count: number): void
  /** `outcome`: applied, seen, a quarantine reason, or the problem code of the answer. */
  webhook(outcome: string): void
  /** `status` of a withdrawal in its answer, or `declined`. */
  withdrawal(status: string): void
  /** The merchant's decision about a withdrawal; `unanswered` if it was declined without an answer. */
  authorization(outcome: 'approve' | 'decline' | 'postpone' | 'unanswered'): void
  /** The counts of one round of reconciliation. */
  reconciliation(counts: ReconcileCounts): void
  /** `count` is called when the metrics are read. */
  watchStreams(count: () => number): void
  /** Bytes that the database can still grow by, read with the metrics. */
  watchFreeSpace(bytes: () => number): void
  /** An attempt to deliver an event to the merchant. */
  /** The database has lost commits. */
  lostCommits(): void
  delivery(outcome: 'delivered' | 'failed' | 'dead'): void
  watchDeliveries(counts: () => Promise<{ readonly pending: number; readonly dead: number }>): void
  /** The number of open events in quarantine by reason, read with the metrics. */
  watchQuarantine(count: () => Promise<ReadonlyMap<string, number>>): void
  /** The number of withdrawals that wait for a person, read with the metrics. */
  watchUnmatchedPayouts(count: () => Promise<number>): void
  /** The state, read with the metrics. */
  watchReconciliation(state: ReconciliationState): void
  readonly registry: Registry
}

export interface ReconciliationState {
  readonly waiting: () => Promise<readonly WaitingUsers[]>
  /** Users with a partly unreadable list. */
  readonly unreadable: () => Promise<number>
  /** Age of the oldest withdrawal of this status in seconds; 0 if there is none. */
  readonly oldestWithdrawalS: (status: 'unknown' | 'processing') => Promise<number>
  /** The gateway's clock minus ours; null before the first reply. */
  readonly gatewayClockS: () => number | null
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The event loop is measured this often, and its delays include this time. Each measurement wakes an idle process, so
 * the usual 10 ms would be a fifth of what 8,000 idle streams cost.
 */
const EVENT_LOOP_MS = 50

/** An unavailable store must not fail the other metrics, and an unknown value is not 0. */
async function setTo(gauge: Gauge, found: Promise<number | null>): Promise<void> {
  const value = await found.catch(() => null)
  if (value === null) gauge.remove()
  else gauge.set(value)
}

/** Metrics with their own registry, so that tests can have two in one process. */
export function createMetrics({ version, commit = '' }: Version): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS })
  const registers = [registry]
  new Gauge({
    name: 'cashier_build_info',
    help: 'Always 1; its labels are version and commit. An unknown commit is empty.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version, commit }, 1)
  const requests = new Histogram({
    name: 'cashier_http_request_seconds',
    help: 'Requests; a stream counts when it ends.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const calls = new Histogram({
    name: 'cashier_gateway_call_seconds',
    help: 'Calls to the gateway, including retries.',
    labelNames: ['operation', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const leftOut: Readonly<Record<LeftOutOf, Counter>> = {
    currencies: new Counter({
      name: 'cashier_currencies_left_out',
      help: 'Entries left out of the currency list: unreadable, or with a repeated id.',
      registers,
    }),
    transactions: new Counter({
      name: 'cashier_transactions_left_out',
      help: 'Unreadable records left out of a page of a history.',
      registers,
    }),
  }
  const webhooks = new Counter({
    name: 'cashier_webhooks_total',
    help: 'Webhooks of the gateway: applied, seen, a quarantine reason, or the problem code of the answer.',
    labelNames: ['outcome'],
    registers,
  })
  const withdrawals = new Counter({
    name: 'cashier_withdrawals_total',
    help: 'Withdrawals by the status of the answer, or declined; replays count too.',
    labelNames: ['status'],
    registers,
  })
  const authorizations = new Counter({
    name: 'cashier_authorizations_total',
    help: "The merchant's decisions: approve, decline, postpone, or unanswered (too late or unreadable, so declined).",
    labelNames: ['outcome'],
    registers,
  })
  const rounds = new Counter({
    name: 'cashier_reconciliation_rounds_total',
    help: 'Rounds in which this instance looked for users to reconcile.',
    registers,
  })
  const reconciled = new Counter({
    name: 'cashier_reconciliation_total',
    help: 'Results of reconciliation: settled, missed_webhooks (states that no webhook brought), resumed, faults.',
    labelNames: ['what'],
    registers,
  })
  const losses = new Counter({
    name: 'cashier_lost_commits_total',
    help: 'How often this instance noticed that the database had lost commits.',
    registers,
  })
  const deliveries = new Counter({
    name: 'cashier_deliveries_total',
    help: "Attempts to send an event to the merchant's webhook: delivered, failed (tried again), dead (given up).",
    labelNames: ['outcome'],
    registers,
  })
  // Prometheus sees no increase in a series that begins with its first event, so the alarms' series begin at 0.
  for (const { name } of Object.values(OPERATIONS)) calls.zero({ operation: name, outcome: 'authentication' })
  for (const outcome of ['applied', 'unauthenticated', 'store_unavailable']) webhooks.inc({ outcome }, 0)
  authorizations.inc({ outcome: 'unanswered' }, 0)
  return {
    registry,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: (route, method, status, seconds) =>
      requests.observe({ route, method: METHODS.has(method) ? method : 'other', status: String(status) }, seconds),
    gatewayCall: ({ operation, outcome, seconds }) => calls.observe({ operation, outcome }, seconds),
    leftOut: (list, count) => leftOut[list].inc(count),
    webhook: (outcome) => webhooks.inc({ outcome }),
    withdrawal: (status) => withdrawals.inc({ status }),
    authorization: (outcome) => authorizations.inc({ outcome }),
    reconciliation({ settled, missedWebhooks, resumed, faults }) {
      rounds.inc()
      for (const [what, count] of Object.entries({ settled, missed_webhooks: missedWebhooks, resumed, faults }))
        reconciled.inc({ what }, count)
    },
    lostCommits: () => losses.inc(),
    delivery: (outcome) => deliveries.inc({ outcome }),
    watchDeliveries(counts) {
      new Gauge({
        name: 'cashier_deliveries_waiting',
        help: "Events that the merchant's webhook has not accepted: pending, or dead (no longer tried).",
        labelNames: ['state'],
        registers,
        async collect() {
          // An unavailable store must not fail the other metrics.
          const found = await counts().catch(() => null)
          this.reset()
          if (found === null) return
          this.set({ state: 'pending' }, found.pending)
          this.set({ state: 'dead' }, found.dead)
        },
      })
    },
    watchQuarantine(count) {
      new Gauge({
        name: 'cashier_quarantine_open',
        help: 'Open events in quarantine; a reason without events is absent.',
        labelNames: ['reason'],
        registers,
        async collect() {
          // An unavailable store must not fail the other metrics.
          const found = await count().catch(() => null)
          this.reset()
          for (const [reason, open] of found ?? []) this.set({ reason }, open)
        },
      })
    },
    watchUnmatchedPayouts(count) {
      new Gauge({
        name: 'cashier_unmatched_payouts',
        help: 'Payouts that nobody owns: a person must say whose each is.',
        registers,
        collect() {
          return setTo(this, count())
        },
      })
    },
    watchReconciliation({ waiting, unreadable, oldestWithdrawalS, gatewayClockS }) {
      const setByPriority = async (
        gauge: Gauge<'priority'>,
        valueOf: (users: WaitingUsers) => number,
      ): Promise<void> => {
        const found = await waiting().catch(() => [])
        gauge.reset()
        for (const users of found) gauge.set({ priority: users.priority }, valueOf(users))
      }
      new Gauge({
        name: 'cashier_reconciliation_waiting',
        help: 'Users whose list is due and not yet read.',
        labelNames: ['priority'],
        registers,
        collect() {
          return setByPriority(this, ({ count }) => count)
        },
      })
      new Gauge({
        name: 'cashier_reconciliation_oldest_seconds',
        help: 'How long the first of these users has been due.',
        labelNames: ['priority'],
        registers,
        collect() {
          return setByPriority(this, ({ oldestMs }) => oldestMs / 1000)
        },
      })
      new Gauge({
        name: 'cashier_unreadable_lists',
        help: 'Users with a partly unreadable list; the log names them.',
        registers,
        collect() {
          return setTo(this, unreadable())
        },
      })
      new Gauge({
        name: 'cashier_oldest_unknown_seconds',
        help: 'Age of the oldest unknown withdrawal; 0 without any.',
        registers,
        collect() {
          return setTo(this, oldestWithdrawalS('unknown'))
        },
      })
      new Gauge({
        name: 'cashier_oldest_processing_seconds',
        help: 'Age of the oldest processing withdrawal; 0 without any.',
        registers,
        collect() {
          return setTo(this, oldestWithdrawalS('processing'))
        },
      })
      new Gauge({
        name: 'cashier_gateway_clock_skew_seconds',
        help: "The gateway's clock minus ours, by the Date of its replies; absent before the first.",
        registers,
        collect() {
          return setTo(this, Promise.resolve(gatewayClockS()))
        },
      })
    },
    watchFreeSpace(bytes) {
      new Gauge({
        name: 'cashier_database_free_bytes',
        help: 'Free space on the disk of a SQLite database.',
        registers,
        collect() {
          this.set(bytes())
        },
      })
    },
    watchStreams(count) {
      new Gauge({
        name: 'cashier_streams',
        help: 'Open event streams of this instance.',
        registers,
        collect() {
          this.set(count())
        },
      })
    },
  }
}
