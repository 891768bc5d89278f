/** A deliberate bug: wrappers around the cashier's parts that make it wrong. */
import type { FaultKind } from './faults.ts'
import type { PageAttempt, Store, StreamLine, UseCases } from './instance.ts'
import type { Machine } from './machine.ts'
import type { ModelGateway } from './model-gateway.ts'
import type { Settings } from './plan.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Wire } from './virtual-request.ts'
import type { WorldDatabase } from './world-database.ts'

/** The parts of its world that a bug may see. */
export interface BugPlace {
  readonly clock: VirtualClock
  readonly gateway: ModelGateway
  readonly database: WorldDatabase
}

/** One wrong cashier. The wrappers have the bug; each world gets new ones. */
export interface Bug {
  readonly store?: (store: Store, place: BugPlace, machine: Machine) => Store
  readonly useCases?: (useCases: UseCases, place: BugPlace, machine: Machine) => UseCases
  readonly wire?: (wire: Wire, place: BugPlace) => Wire
  readonly page?: (newKey: () => string) => PageAttempt
  readonly stream?: (events: readonly StreamLine[]) => readonly StreamLine[]
  /** `npm run restored` is forgotten. */
  readonly forgetsRestore?: boolean
  /** For how long a transaction may wait for its program. */
  readonly idleMs?: number
  /** Called when a machine has started. */
  readonly started?: (place: BugPlace, machine: Machine) => void
}

export interface BugEntry {
  readonly make: () => Bug
  /** The clause of the oracle that finds it. */
  readonly clause: string
  /** The seed of a world in which it showed. The search begins there: the worlds before it take minutes. */
  readonly seed: number
  /** Settings of the worlds in which the bug can show. */
  readonly settings?: Partial<Settings>
  /** Faults that the bug needs besides the usual ones. */
  readonly faults?: readonly FaultKind[]
}
