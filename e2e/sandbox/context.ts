import type { KeyObject } from 'node:crypto'
import type { Mutations } from './faults/mutations.ts'
import type { AlarmAction } from './lifecycle/alarm-actions.ts'
import type { Database } from './state/database.ts'
import type { MerchantStore } from './state/merchants.ts'
import type { ModeStore } from './state/modes.ts'

/** What every part of the gateway works with. `now` is the gateway's clock, its offset included, in milliseconds. */
export interface Context {
  readonly database: Database
  readonly modes: ModeStore
  readonly merchants: MerchantStore
  readonly now: () => number
  readonly uuid: () => string
  /** Where users and icons reach this sandbox, without a slash at the end. */
  readonly origin: string
  /** Prefix of every operation's path: empty, or such as `/gateway`. */
  readonly basePath: string
  readonly gatewayKey: KeyObject
  readonly gatewayPublicKey: string
  readonly mutations: Mutations
  /** Tells the courier that webhooks may be waiting; it looks after the current commit. */
  readonly wakeCourier: () => void
  /** Does something to a transaction or session later, also after a restart. */
  readonly setAlarm: (action: AlarmAction, subject: string, afterMs: number) => void
  readonly log: (line: string) => void
}
