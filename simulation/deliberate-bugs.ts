/**
 * Wrong cashiers, made by wrapping the right one from outside: the simulator must find each
 * (`deliberate-bugs.test.ts`). No switch for them is in the cashier itself.
 */
import type { FaultKind } from './faults.ts'
import type { Store, UseCases } from './instance.ts'
import type { Machine } from './machine.ts'
import { MESSAGE_BUGS } from './message-bugs.ts'
import type { PageAttempt, StreamLine } from './model-user.ts'
import { MONEY_BUGS } from './money-bugs.ts'
import type { Settings } from './plan.ts'
import type { Wire } from './virtual-request.ts'
import type { World } from './world.ts'

/** One wrong cashier: what is wrong is in the wrappers, made anew for each world. */
export interface Bug {
  readonly store?: (store: Store, world: World, machine: Machine) => Store
  readonly useCases?: (useCases: UseCases, world: World, machine: Machine) => UseCases
  readonly wire?: (wire: Wire, world: World) => Wire
  readonly page?: (newKey: () => string) => PageAttempt
  readonly stream?: (events: readonly StreamLine[]) => readonly StreamLine[]
  readonly started?: (world: World, machine: Machine) => void
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

export const BUGS: Readonly<Record<string, BugEntry>> = { ...MONEY_BUGS, ...MESSAGE_BUGS }

export function bugNamed(name: string): Bug {
  const entry = BUGS[name]
  if (entry === undefined) throw new Error(`there is no bug "${name}": ${Object.keys(BUGS).join(', ')}`)
  return entry.make()
}
