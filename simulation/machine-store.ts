/** The real store of one machine. It is gone from the moment of a crash, even in the middle of a commit. */
import { asCallOf, CrashedError, never, type Machine } from './machine.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** The error of a database that does not answer. */
const away = (): Error => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })

export interface CallRules {
  readonly machine: Machine
  /** Awaited before each call outside a transaction. */
  readonly before: (machine: Machine) => Promise<void> | null
  /** Counts the running calls. */
  readonly busy: (change: 1 | -1) => void
}

/** Wraps each function of an object and of its nested objects once. */
function wrapped<T extends object>(target: T, wrap: (run: AnyFunction) => AnyFunction, own: Partial<T>): T {
  const cache = new Map<string | symbol, unknown>()
  return new Proxy(target, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T]
      if (cache.has(name)) return cache.get(name)
      const value: unknown = Reflect.get(target, name)
      let made = value
      if (typeof value === 'function') made = wrap((value as AnyFunction).bind(target))
      else if (typeof value === 'object' && value !== null) made = wrapped(value, wrap, {})
      cache.set(name, made)
      return made
    },
  })
}

/** A transaction of a machine that may crash between any two of its statements. */
const doomedTransaction = <Tx extends object>(tx: Tx, machine: Machine): Tx => {
  const keep = ['outbox', 'now'].filter((name) => name in tx)
  const own = Object.fromEntries(keep.map((name) => [name, Reflect.get(tx, name)])) as Partial<Tx>
  const wrap =
    (run: AnyFunction): AnyFunction =>
    (...args) => {
      if (!machine.step()) throw new CrashedError()
      return run(...args)
    }
  return wrapped(tx, wrap, own)
}

interface Transactional<Tx> {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Runs transactions one at a time: SQLite has one connection, and a transaction uses its machine's clock. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}

/**
 * The store of one machine. `enter` runs a transaction when it is this machine's turn. The machine may crash before and
 * after the commit and before each call. A promise that it awaited then stays open.
 */
export function machineStore<Tx extends object, S extends Transactional<Tx>>(
  real: S,
  rules: CallRules,
  enter: <T>(work: () => Promise<T>) => Promise<T>,
  own: (self: () => S) => Partial<S>,
): S {
  const { machine, before, busy } = rules

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    busy(1)
    try {
      return await work()
    } finally {
      busy(-1)
    }
  }

  const guarded = async (run: () => Promise<unknown>): Promise<unknown> => {
    await before(machine)
    if (!machine.step()) return never()
    if (machine.isStoreAway) throw away()
    const value = await counted(() => asCallOf(machine, run))
    return machine.step() ? value : never()
  }

  const wrap =
    (run: AnyFunction): AnyFunction =>
    (...args) => {
      if (!machine.alive) return never()
      return guarded(async () => run(...args))
    }

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await before(machine)
    if (!machine.step()) return never()
    if (machine.isStoreAway) throw away()
    const doWork = async (tx: Tx): Promise<T> => {
      if (!machine.isDoomed) return work(tx)
      const done = await work(doomedTransaction(tx, machine))
      if (!machine.step()) throw new CrashedError()
      return done
    }
    try {
      const value = await counted(() =>
        asCallOf(machine, () => enter(() => real.transaction((tx) => machine.run(() => doWork(tx))))),
      )
      return machine.step() ? value : await never<T>()
    } catch (error) {
      if (!machine.alive) return never()
      throw error
    }
  }

  const made: S = wrapped(real, wrap, { ...own(() => made), transaction })
  return made
}
