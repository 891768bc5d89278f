import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, StoredStreamEvent } from '../store/port.ts'

/** Where a subscription's events go. Nothing here may throw. */
export interface Sink {
  write(events: readonly StoredStreamEvent[]): void
  /** The events between were forgotten: from here on it goes on after `head`. */
  reset(head: number): void
  /** Resolves once what was written has left, or the sink has closed. */
  drained(): Promise<void>
  end(): void
}

export interface SubscriptionOrder {
  readonly user: string
  readonly sessionId: string
  /** The last sequence number that the reader has. */
  readonly cursor: number
}

/**
 * One reader's place in its user's sequence. It always reads on from the store, so being woken too often, too late or
 * twice changes nothing but the time: each number goes to the sink once, in order, without gaps.
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
    order: SubscriptionOrder,
    ground: {
      readonly events: Reader['events']
      readonly sink: Sink
      readonly pageLimit: number
      readonly onFailure: (error: unknown) => void
    },
  ) {
    this.user = order.user
    this.sessionId = order.sessionId
    this.#cursor = order.cursor
    this.#events = ground.events
    this.#sink = ground.sink
    this.#pageLimit = ground.pageLimit
    this.#onFailure = ground.onFailure
  }

  get cursor(): number {
    return this.#cursor
  }

  /** There may be more in the store. */
  wake(): void {
    this.#again = true
    if (!this.#reading && !this.#closed) void this.#read()
  }

  /** Nothing reaches the sink from now on. */
  close(): void {
    this.#closed = true
  }

  /** Ends the sink, and with it the reader's connection. */
  end(): void {
    this.close()
    this.#sink.end()
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      while (this.#again && !this.#closed) {
        this.#again = false
        const full = await this.#readPage()
        if (full) this.#again = true
        else this.#caughtUp = true
      }
    } catch (error) {
      this.#onFailure(error)
    } finally {
      this.#reading = false
    }
  }

  /** True where there may be more at once. */
  async #readPage(): Promise<boolean> {
    const page = await this.#events.after(this.user, this.#cursor, this.#pageLimit)
    const [first] = page
    const last = page.at(-1)
    if (this.#closed || first === undefined || last === undefined) return false
    if (first.seq !== this.#cursor + 1) return this.#startOver()
    this.#cursor = last.seq
    this.#sink.write(page)
    // A reader that catches up on a long past is waited for; one that falls behind the present is the sink's to drop.
    if (!this.#caughtUp) await this.#sink.drained()
    // SQLite answers without a turn of the event loop; what was written must get its chance to leave.
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
