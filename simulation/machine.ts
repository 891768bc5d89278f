/**
 * A machine that runs one instance of the cashier: it may crash or freeze between any two steps, and its clock may be
 * wrong.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A promise of a crashed machine stays open. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** Ends the database transaction of a machine that crashed. */
export class CrashedError extends Error {
  override readonly name = 'CrashedError'
}

const running = new AsyncLocalStorage<Machine>()

/** The machine whose code is running; undefined outside all machines. */
export const currentMachine = (): Machine | undefined => running.getStore()

export interface MachineOptions {
  readonly name: string
  /** Its clock minus the right time. */
  readonly skewMs: number
  readonly now: () => number
  readonly onCrash: (machine: Machine) => void
  readonly onFreeze: (machine: Machine, forMs: number) => void
}

export class Machine {
  readonly name: string
  readonly #options: MachineOptions
  #alive = true
  /** Steps until it crashes. */
  #stepsLeft = Infinity
  /** Until this time its database cannot be reached. */
  storeAwayUntilMs = 0
  #freeze: { stepsLeft: number; readonly forMs: number } | null = null
  /** How often it froze. */
  freezes = 0
  /** What waits for the end of a freeze; null while it runs. */
  #waiting: (() => void)[] | null = null

  constructor(options: MachineOptions) {
    this.name = options.name
    this.#options = options
  }

  get alive(): boolean {
    return this.#alive
  }

  get skewMs(): number {
    return this.#options.skewMs
  }

  /** The true time. */
  rightNow(): number {
    return this.#options.now()
  }

  /** The time of this machine's clock. */
  now(): number {
    return this.#options.now() + this.#options.skewMs
  }

  /** Whether a crash is due. */
  get isDoomed(): boolean {
    return this.#stepsLeft !== Infinity
  }

  /** Whether a crash or a freeze is due, so that every statement counts. */
  get isExact(): boolean {
    return this.isDoomed || this.#freeze !== null
  }

  get isFrozen(): boolean {
    return this.#waiting !== null
  }

  get isStoreAway(): boolean {
    return this.#options.now() < this.storeAwayUntilMs
  }

  crashAfter(steps: number): void {
    this.#stepsLeft = Math.min(this.#stepsLeft, steps)
    if (this.#stepsLeft <= 0) this.crash()
  }

  crash(): void {
    if (!this.#alive) return
    this.#alive = false
    this.#options.onCrash(this)
    // Its connections end.
    this.thaw()
  }

  /** Freezes after so many steps inside transactions: no code of it runs, as if its process were stopped. */
  freezeAfter(steps: number, forMs: number): void {
    if (this.#alive) this.#freeze ??= { stepsLeft: steps, forMs }
  }

  /** Freezes now, if a freeze is due. */
  freeze(): void {
    if (this.#freeze === null || !this.#alive) return
    const { forMs } = this.#freeze
    this.#freeze = null
    this.#waiting = []
    this.freezes += 1
    this.#options.onFreeze(this, forMs)
  }

  thaw(): void {
    this.#freeze = null
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const run of waiting) run()
  }

  /** Runs it at once, or at the end of a freeze. */
  whenAwake(run: () => void): void {
    if (this.#waiting === null) run()
    else this.#waiting.push(run)
  }

  /** Resolves at the end of the freeze. */
  awake(): Promise<void> {
    return new Promise((resolve) => {
      this.whenAwake(resolve)
    })
  }

  /** Takes one step inside a transaction, at which it may freeze. */
  stepInside(): boolean {
    if (!this.step()) return false
    if (this.#freeze !== null && (this.#freeze.stepsLeft -= 1) <= 0) this.freeze()
    return true
  }

  /** Takes one step; false if the machine has crashed. */
  step(): boolean {
    if (!this.#alive) return false
    this.#stepsLeft -= 1
    if (this.#stepsLeft <= 0) this.crash()
    return this.#alive
  }

  /** Runs code as code of this machine. */
  run<T>(work: () => T): T {
    return running.run(this, work)
  }
}

interface StoreCall {
  readonly machine: Machine
  isOver: boolean
}

const calling = new AsyncLocalStorage<StoreCall>()

/** The machine whose store call is running, independent of whose code runs. What a call leaves behind is no call. */
export function callingMachine(): Machine | undefined {
  const call = calling.getStore()
  return call?.isOver === false ? call.machine : undefined
}

/** Runs a store call for a machine. The database's own connections and timers are real. */
export async function asCallOf<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
  const call: StoreCall = { machine, isOver: false }
  try {
    return await calling.run(call, () => outsideOfMachines(work))
  } finally {
    call.isOver = true
  }
}

/** Runs code outside all machines, even if a machine called it. */
export const outsideOfMachines = <T>(work: () => T): T => running.exit(work)
