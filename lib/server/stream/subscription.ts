import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, StoredStreamEvent } from '../store/types.ts'

/** The user's events after a sequence number, with a limit. */
export type ReadEvents = Reader['events']['after']

/** Receives a subscription's events. Nothing here may throw. */
export interface Sink {
  write(events: readonly StoredStreamEvent[]): void
  /** The events in between were deleted: the stream continues after `head`. */
  reset(head: number): void
  /** Resolves when everything written is sent, or the sink has closed. */
  drained(): Promise<void>
  end(): void
}

export interface SubscriptionRequest {
  readonly user: string
  readonly sessionId: string
  /** The last sequence number that the reader has. */
  readonly cursor: number
}

/**
 * One reader's position in its user's stream. It always reads from the store, so a late or superfluous wake-up affects
 * only the time: each event goes to the sink once, in order, without gaps.
 */
export class Subscription {
  readonly user: string
  readonly sessionId: string
  readonly #events: Reader['events']
  readonly #sink: Sink
  readonly #pageLimit: number
  readonly #onFailure: (error: unknown) => void
  #cursor: number
  #reading = false
  #again = false
  #caughtUp = false
  #closed = false

  constructor(
    request: SubscriptionRequest,
    deps: {
      readonly events: Reader['events']
      readonly sink: Sink
      readonly pageLimit: number
      readonly onFailure: (error: unknown) => void
    },
  ) {
    this.user = request.user
    this.sessionId = request.sessionId
    this.#cursor = request.cursor
    this.#events = deps.events
    this.#sink = deps.sink
    this.#pageLimit = deps.pageLimit
    this.#onFailure = deps.onFailure
  }

  get cursor(): number {
    return this.#cursor
  }

  /** The store may have new events. @param first is used for the first read, if the read begins at once */
  wake(first?: ReadEvents): void {
    this.#again = true
    if (!this.#reading && !this.#closed) void this.#read(first)
  }

  /** The store had nothing beyond the cursor. */
  caughtUp(): void {
    this.#caughtUp = true
  }

  /** From now on nothing reaches the sink. */
  close(): void {
    this.#closed = true
  }

  /** Ends the sink, and with it the reader's connection. */
  end(): void {
    this.close()
    this.#sink.end()
  }

  async #read(first?: ReadEvents): Promise<void> {
    this.#reading = true
    let read = first
    try {
      while (this.#again && !this.#closed) {
        this.#again = false
        const full = await this.#readPage(read)
        read = undefined
        if (full) this.#again = true
        else this.#caughtUp = true
      }
    } catch (error) {
      this.#onFailure(error)
    } finally {
      this.#reading = false
    }
  }

  /** True if there may be more to read at once. */
  async #readPage(read: ReadEvents = (...asked) => this.#events.after(...asked)): Promise<boolean> {
    const page = await read(this.user, this.#cursor, this.#pageLimit)
    const [first] = page
    const last = page.at(-1)
    if (this.#closed || first === undefined || last === undefined) return false
    // Numbers that were left out after a promotion are no gap.
    if (first.seq !== this.#cursor + 1 && !(await this.#events.holds(this.user, this.#cursor))) return this.#startOver()
    this.#cursor = last.seq
    this.#sink.write(page)
    // While a reader catches up, it sets the pace. Later the sink disconnects a reader that falls behind.
    if (!this.#caughtUp) await this.#sink.drained()
    // SQLite answers without a turn of the event loop, but sending needs a turn.
    else await nextTurn()
    return page.length >= this.#pageLimit
  }

  async #startOver(): Promise<boolean> {
    const bounds = await this.#events.bounds(this.user)
    if (this.#closed || bounds === null) return false
    this.#cursor = bounds.head
    this.#sink.reset(bounds.head)
    return true
  }
}
