/** The database of one world: SQLite in memory that all machines share, or a separate PostgreSQL database. */
import { CompiledQuery } from 'kysely'
import { listApplier, type PlannedTrouble, type Store } from './instance.ts'
import type { Machine } from './machine.ts'
import { Turns, type CallRules } from './machine-store.ts'

export interface Upkeep {
  /** Keeps a copy of the whole database, as a backup does. */
  backUp(): Promise<void>
  /** Puts the last backup in place of the database. */
  restore(): Promise<void>
  /** Runs a command of the cashier's scripts. */
  command<T>(work: (store: Store) => Promise<T>): Promise<T>
}

/** A move from SQLite to PostgreSQL, and back. No instance runs meanwhile. */
export interface Move {
  /** Copies the database; from now on machines start on the copy. */
  copy(): Promise<void>
  /** Gives up the copy; from now on machines start on the first database. */
  undo(): Promise<void>
}

export type Row = Readonly<Record<string, unknown>>

export interface WorldDatabase {
  /** The store of one machine. A crash of the machine ends the store at any point. */
  storeFor(machine: Machine, rules: Pick<CallRules, 'before' | 'onIdle'>): Promise<Store>
  /** What a person does with the database. */
  readonly upkeep: Upkeep
  /** Null where there is only one database. */
  readonly move: Move | null
  /** Troubles the connections of a machine; null where it has none. */
  readonly trouble: ((machine: Machine, planned: PlannedTrouble) => void) | null
  /** Reads tables directly. */
  rows(query: string): Promise<readonly Row[]>
  /** What a check of a backup of it would say. */
  lostRows(): Promise<readonly string[]>
  /** The names of all tables. */
  tables(): Promise<readonly string[]>
  /** Resolves when every running call waits for time or for the network. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * - `concurrent`: what happens at the same moment is ordered by the database;
 * - `one by one`: each call of the store waits for the one before it, and for the code that waited for that one. So the
 *   same world has the same history on every database.
 */
export type CallOrder = 'concurrent' | 'one by one'

export const nextTurn = (
  (real) => (): Promise<void> =>
    new Promise((resolve) => void real(resolve))
)(setImmediate)

export const turnsOf = (order: CallOrder): Turns => new Turns(order === 'one by one' ? nextTurn : undefined)

export const rowsOf = async (store: Store, query: string): Promise<readonly Row[]> =>
  (await store.database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(query))).rows

/** The store's own transactions run as transactions of the machine. */
export const machineParts = (real: Store, self: () => Store): Partial<Store> => ({
  lane: () => self(),
  faultOf: (error) => real.faultOf(error),
  isUnknown: (error) => real.isUnknown(error),
  unitOfWork: (keys, fold) =>
    self().transaction(async (tx) => {
      const unit = await tx.load(keys)
      const result = fold(unit)
      await tx.save(unit)
      return result
    }),
  applyRecords: (...list) => listApplier(self())(...list),
  announceSessionEnd: () => undefined,
  listen: () => ({ stop: () => Promise.resolve() }),
})

/** Counts running calls, so that no virtual time passes meanwhile, except for a transaction of a frozen machine. */
export class BusyCounter {
  readonly #order: CallOrder
  #running = 0
  #frozen = 0
  #onIdle: () => void = () => undefined

  constructor(order: CallOrder = 'concurrent') {
    this.#order = order
  }

  /** One by one, all others wait for the frozen one. */
  get #isBusy(): boolean {
    return this.#order === 'one by one' ? this.#running > 0 && this.#frozen === 0 : this.#running > this.#frozen
  }

  readonly count = (change: 1 | -1): void => {
    this.#running += change
    if (!this.#isBusy) this.#onIdle()
  }

  readonly countFrozen = (change: 1 | -1): void => {
    this.#frozen += change
    if (!this.#isBusy) this.#onIdle()
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.count(1)
    try {
      return await work()
    } finally {
      this.count(-1)
    }
  }

  async settled(): Promise<void> {
    await nextTurn()
    while (this.#isBusy) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
      await nextTurn()
    }
  }
}

/** Passes on that a machine has changed the database: at the end of its call, and once for each call. */
export class ChangeNotice {
  readonly #listeners = new Set<() => void>()
  #changed = false

  readonly on = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  note(): void {
    this.#changed = true
  }

  readonly afterCall = (): void => {
    if (!this.#changed) return
    this.#changed = false
    for (const listener of this.#listeners) listener()
  }
}

const byText = <T>(rows: readonly T[]): readonly T[] =>
  rows
    .map((row) => [JSON.stringify(row), row] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)

/** Some reads promise no order of their rows, and the databases differ. */
export function inFixedOrder(store: Store): Store {
  const { reconcileQueue, transactions } = store
  return {
    ...store,
    reconcileQueue: {
      ...reconcileQueue,
      claimUnknown: async (...claim) => byText(await reconcileQueue.claimUnknown(...claim)),
      claimDue: async (...claim) => byText(await reconcileQueue.claimDue(...claim)),
    },
    transactions: {
      ...transactions,
      byUuids: async (...uuids) => byText(await transactions.byUuids(...uuids)),
      factsOf: async (...uuids) => byText(await transactions.factsOf(...uuids)),
    },
  }
}
