/** A machine that runs one instance of the cashier: it may crash between any two steps, and its clock may be wrong. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** What a crashed machine was waiting for never comes. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** Ends the database transaction of a machine that crashed. */
export class CrashedError extends Error {
  override readonly name = 'CrashedError'
}

const running = new AsyncLocalStorage<Machine>()

/** The machine whose code is running; undefined outside of all. */
export const currentMachine = (): Machine | undefined => running.getStore()

export interface MachineOptions {
  readonly name: string
  /** Its clock minus the right time. */
  readonly skewMs: number
  readonly now: () => number
  readonly onCrash: (machine: Machine) => void
}

export class Machine {
  readonly name: string
  readonly #options: MachineOptions
  #alive = true
  /** Steps that are left until it crashes. */
  #stepsLeft = Infinity
  /** Its database cannot be reached until then. */
  storeAwayUntilMs = 0

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

  /** The right time. */
  rightNow(): number {
    return this.#options.now()
  }

  /** The time that this machine believes. */
  now(): number {
    return this.#options.now() + this.#options.skewMs
  }

  /** A crash is coming: every step counts. */
  get isDoomed(): boolean {
    return this.#stepsLeft !== Infinity
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
  }

  /** Takes one step; false where the machine has crashed. */
  step(): boolean {
    if (!this.#alive) return false
    this.#stepsLeft -= 1
    if (this.#stepsLeft <= 0) this.crash()
    return this.#alive
  }

  /** Runs code as this machine's. */
  run<T>(work: () => T): T {
    return running.run(this, work)
  }
}

const calling = new AsyncLocalStorage<Machine>()

/** The machine whose call of the store is under way, whoever's code runs. */
export const callingMachine = (): Machine | undefined => calling.getStore()

/** Runs a call of the store for a machine: the database's own connections and timers are real. */
export const asCallOf = <T>(machine: Machine, work: () => T): T => calling.run(machine, () => outsideOfMachines(work))

/** Runs code that belongs to no machine, though a machine's code called it. */
export const outsideOfMachines = <T>(work: () => T): T => running.exit(work)
