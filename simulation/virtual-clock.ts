/**
 * Virtual time. Timers run in the order of their due time; the seed decides the order of timers due at the same time.
 */
import type { Chance } from './random.ts'

export interface Timer {
  cancelled: boolean
  readonly atMs: number
  readonly order: number
  readonly run: () => void
}

const isBefore = (a: Timer, b: Timer): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

/** The start of virtual time. */
export const BEGINNING_MS = Date.UTC(2026, 0, 5)

export interface VirtualClockOptions {
  readonly chance: Chance
  /** Resolves when all running code waits for time or for the network. */
  readonly settled: () => Promise<void>
}

export class VirtualClock {
  readonly #heap: Timer[] = []
  readonly #options: VirtualClockOptions
  #nowMs = BEGINNING_MS
  /** How many timers have run. */
  turns = 0
  /** For how long all machines slept, together. */
  sleptMs = 0

  constructor(options: VirtualClockOptions) {
    this.#options = options
  }

  now(): number {
    return this.#nowMs
  }

  after(ms: number, run: () => void): Timer {
    const order = this.#options.chance.next()
    const timer: Timer = { cancelled: false, atMs: this.#nowMs + Math.max(0, ms), order, run }
    this.#push(timer)
    return timer
  }

  /** Runs the timers due until this time, each at its due time. */
  async runUntil(untilMs: number): Promise<void> {
    await this.#options.settled()
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= untilMs; next = this.#heap[0]) {
      this.#pop()
      if (next.cancelled) continue
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      this.turns += 1
      next.run()
      await this.#options.settled()
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  /** Time passes while the machines sleep. Afterwards each timer that became due runs once, late. */
  async sleep(ms: number): Promise<void> {
    this.#nowMs += ms
    this.sleptMs += ms
    await this.runUntil(this.#nowMs)
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(timer)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(timer, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = heap[left + 1]
      let child = heap[left]
      if (child === undefined) break
      const useRight = right !== undefined && isBefore(right, child)
      if (useRight) child = right
      if (!isBefore(child, last)) break
      heap[at] = child
      at = left + (useRight ? 1 : 0)
    }
    heap[at] = last
  }
}
