/** Wrong cashiers, made by wrapping the right one: the simulator must find each. */
import type { Store, UseCases } from './instance.ts'
import type { Machine } from './machine.ts'
import type { PageAttempt, StreamLine } from './model-user.ts'
import type { Wire } from './virtual-request.ts'
import type { World } from './world.ts'

export interface Bug {
  readonly name: string
  readonly store?: (store: Store, world: World, machine: Machine) => Store
  readonly useCases?: (useCases: UseCases, world: World, machine: Machine) => UseCases
  readonly wire?: (wire: Wire, world: World) => Wire
  readonly page?: (newKey: () => string) => PageAttempt
  readonly stream?: (events: readonly StreamLine[]) => readonly StreamLine[]
  readonly started?: (world: World, machine: Machine) => void
}
