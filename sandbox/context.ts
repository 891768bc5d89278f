import type { KeyObject } from 'node:crypto'
import type { Mutations } from './faults/mutations.ts'
import type { ScheduledAction } from './lifecycle/scheduler.ts'
import type { Database } from './state/database.ts'
import type { MerchantStore } from './state/merchants.ts'
import type { ModeStore } from './state/modes.ts'

/** Pages that the control page links to. `{user}` is replaced by the user's reference. */
export interface Links {
  readonly shop: string | null
  readonly cashier: string | null
}

/** The values that all parts of the gateway share. `now` is the gateway's clock in milliseconds, with its offset. */
export interface Context {
  readonly database: Database
  readonly modes: ModeStore
  readonly merchants: MerchantStore
  readonly now: () => number
  readonly uuid: () => string
  /** The origin of widget links and icons, without a trailing slash. */
  readonly origin: string
  /** Prefix of every operation's path: empty, or such as `/gateway`. */
  readonly basePath: string
  readonly links: Links
  readonly gatewayKey: KeyObject
  readonly gatewayPublicKey: string
  readonly mutations: Mutations
  /** Call it after queuing webhooks. The worker reads the queue after the current database transaction. */
  readonly wakeDeliveryWorker: () => void
  /** Runs an action on a transaction or session later, also after a restart. */
  readonly schedule: (action: ScheduledAction, subject: string, afterMs: number) => void
  /** Ends all connections after the current request, and listens again after this time. */
  readonly restart: (downMs: number) => void
  /** How often it has come back from a restart. */
  readonly restarts: () => number
  readonly log: (line: string) => void
}
