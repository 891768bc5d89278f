/** A deliberate bug: what wraps the cashier's parts so that it is wrong. */
import type { FaultKind } from './faults.ts'
import type { PageAttempt, Store, StreamLine, UseCases } from './instance.ts'
import type { Machine } from './machine.ts'
import type { ModelGateway } from './model-gateway.ts'
import type { Settings } from './plan.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Wire } from './virtual-request.ts'
import type { WorldDatabase } from './world-database.ts'

/** What a bug may see of its world. */
export interface BugPlace {
  readonly clock: VirtualClock
  readonly gateway: ModelGateway
  readonly database: WorldDatabase
}

/** One wrong cashier: what is wrong is in the wrappers, made anew for each world. */
export interface Bug {
  readonly store?: (store: Store, place: BugPlace, machine: Machine) => Store
  readonly useCases?: (useCases: UseCases, place: BugPlace, machine: Machine) => UseCases
  readonly wire?: (wire: Wire, place: BugPlace) => Wire
  readonly page?: (newKey: () => string) => PageAttempt
  readonly stream?: (events: readonly StreamLine[]) => readonly StreamLine[]
  /** Called when a machine has started. */
  readonly started?: (place: BugPlace, machine: Machine) => void
}

export interface BugEntry {
  readonly make: () => Bug
  /** The clause of the oracle that finds it. */
  readonly clause: string
  /** Worlds in which it can show. */
  readonly settings?: Partial<Settings>
  /** Faults that it needs beside the usual ones. */
  readonly faults?: readonly FaultKind[]
}
