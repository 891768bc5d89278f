/** The real store of one machine. It is gone from the moment of a crash, even in the middle of a commit. */
import { asCallOf, CrashedError, never, outsideOfMachines, type Machine } from './machine.ts'

type AnyFunction = (...args: unknown[]) => unknown

/** The error of a database that does not answer. */
const away = (): Error => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })

/** The database ends a transaction that waits for its program for too long. */
const endedIdle = (): Error =>
  Object.assign(new Error('terminating connection due to idle-in-transaction timeout'), { code: '25P03' })

export interface CallRules {
  readonly machine: Machine
  /** Awaited before each call outside a transaction. */
  readonly before: (machine: Machine) => Promise<void> | null
  /** Counts the running calls, and those of them that wait for a frozen machine. */
  readonly busy: (change: 1 | -1) => void
  readonly frozen: (change: 1 | -1) => void
  /** Calls back when the database ends the transaction of a frozen machine. */
  readonly onIdle: (end: () => void) => void
  /** Runs a call outside a transaction when it is this machine's turn. */
  readonly enterCall: <T>(work: () => Promise<T>) => Promise<T>
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

/** The connection of a transaction, which the database may end while the machine is frozen. */
class Connection {
  readonly #rules: CallRules
  #end: (error: Error) => void = () => undefined
  #isEnded = false
  #waiting: Promise<void> | null = null
  /** Rejects when the connection has ended. */
  readonly ended: Promise<never>

  constructor(rules: CallRules) {
    this.#rules = rules
    this.ended = new Promise<never>((_resolve, reject) => {
      this.#end = reject
    })
    this.ended.catch(() => undefined)
  }

  /** Waits while the machine is frozen. @throws if it crashed, or if the connection has ended meanwhile */
  awake(): Promise<void> {
    this.#waiting ??= this.#wait().finally(() => {
      this.#waiting = null
    })
    return this.#waiting
  }

  async #wait(): Promise<void> {
    const { machine, frozen, onIdle } = this.#rules
    const state = { isWaiting: true }
    const stopWaiting = (): boolean => {
      const { isWaiting } = state
      if (isWaiting) frozen(-1)
      state.isWaiting = false
      return isWaiting
    }
    frozen(1)
    onIdle(() => {
      if (!stopWaiting()) return
      this.#isEnded = true
      this.#end(endedIdle())
    })
    await machine.awake()
    stopWaiting()
    if (!machine.alive) {
      this.#end(new CrashedError())
      throw new CrashedError()
    }
    if (this.#isEnded) throw endedIdle()
  }
}

const wrappedTransaction = <Tx extends object>(tx: Tx, wrap: (run: AnyFunction) => AnyFunction): Tx => {
  const keep = ['outbox', 'now'].filter((name) => name in tx)
  const own = Object.fromEntries(keep.map((name) => [name, Reflect.get(tx, name)])) as Partial<Tx>
  return wrapped(tx, wrap, own)
}

/** A transaction of a machine that may crash or freeze between any two of its statements. */
const exactTransaction = <Tx extends object>(tx: Tx, machine: Machine, connection: Connection): Tx =>
  wrappedTransaction(tx, (run) => (...args) => {
    if (!machine.stepInside()) throw new CrashedError()
    return machine.isFrozen ? connection.awake().then(() => run(...args)) : run(...args)
  })

/** A transaction whose statements have real timers, although a machine runs them. */
export const transactionOutside = <Tx extends object>(tx: Tx): Tx =>
  wrappedTransaction(
    tx,
    (run) =>
      (...args) =>
        outsideOfMachines(() => run(...args)),
  )

interface Transactional<Tx> {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Runs work one at a time: SQLite has one connection, and a transaction uses its machine's clock. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  readonly #between: () => Promise<void>
  /** @param between awaited between two turns */
  constructor(between: () => Promise<void> = () => Promise.resolve()) {
    this.#between = between
  }
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined).then(this.#between)
    return mine
  }
}

/** Its turn came while it was frozen. */
const MISSED = Symbol('missed')

/**
 * The store of one machine. `enter` runs a transaction when it is this machine's turn. The machine may crash or freeze
 * before and after the commit and before each call. A promise that it awaited at a crash stays open.
 */
export function machineStore<Tx extends object, S extends Transactional<Tx>>(
  real: S,
  rules: CallRules,
  enter: <T>(work: () => Promise<T>) => Promise<T>,
  own: (self: () => S) => Partial<S>,
): S {
  const { machine, before, busy, enterCall } = rules

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    busy(1)
    try {
      return await work()
    } finally {
      busy(-1)
    }
  }

  /** Whether the machine goes on after this step, and after the freeze that may begin with it. */
  const goesOn = async (): Promise<boolean> => {
    if (!machine.step()) return false
    if (machine.isFrozen) await machine.awake()
    return machine.alive
  }

  const guarded = async (run: () => Promise<unknown>): Promise<unknown> => {
    await before(machine)
    if (!(await goesOn())) return never()
    if (machine.isStoreAway) throw away()
    const value = await counted(() => asCallOf(machine, () => enterCall(run)))
    return (await goesOn()) ? value : never()
  }

  const wrap =
    (run: AnyFunction): AnyFunction =>
    (...args) => {
      if (!machine.alive) return never()
      return guarded(async () => run(...args))
    }

  const attempt = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const doWork = async (tx: Tx): Promise<T> => {
      if (!machine.isExact) return work(tx)
      const connection = new Connection(rules)
      const exactly = async (): Promise<T> => {
        const done = await work(exactTransaction(tx, machine, connection))
        if (!machine.stepInside()) throw new CrashedError()
        if (machine.isFrozen) await connection.awake()
        return done
      }
      return Promise.race([exactly(), connection.ended])
    }
    return real.transaction((tx) => machine.run(() => doWork(tx)))
  }

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await before(machine)
    if (!(await goesOn())) return never()
    if (machine.isStoreAway) throw away()
    try {
      for (;;) {
        const value = await counted(() =>
          asCallOf(machine, () => enter(async () => (machine.isFrozen ? MISSED : attempt(work)))),
        )
        if (value !== MISSED) return (await goesOn()) ? value : await never<T>()
        await machine.awake()
        if (!machine.alive) return await never<T>()
      }
    } catch (error) {
      if (machine.isFrozen) await machine.awake()
      if (!machine.alive) return never()
      throw error
    }
  }

  const made: S = wrapped(real, wrap, { ...own(() => made), transaction })
  return made
}
