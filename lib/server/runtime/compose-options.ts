import type { SentWithdrawals } from '../cashier/sent-withdrawals.ts'
import type { InstanceReports } from '../operate/exceptions/instance-reports.ts'
import type { Store } from '../store/types.ts'
import type { Config } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The parts from which an instance is composed. */
export interface ComposeOptions {
  readonly config: Config
  /** What the gateway inserted before this time is booked nowhere. */
  readonly ledgerStartMs: number
  readonly store: Store
  readonly log: Log
  readonly metrics: Metrics
  /** None by default. */
  readonly tracing?: Tracing
  /** The name of this process among the instances. */
  readonly instance: string
  readonly clock: () => number
  /** Milliseconds by a clock that nobody sets, and that keeps running while the process or its machine sleeps. */
  readonly uptimeMs: () => number
  readonly sent?: SentWithdrawals
  /** What the instance tells the console of the gateway and its webhooks. */
  readonly reports?: InstanceReports
}
