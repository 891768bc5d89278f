import type { BalanceEvent, StreamEvent, TransactionEvent } from '#lib/contract/stream.ts'
import type { Source } from './rows.ts'

/** A change of a transaction, as the merchant's feed gets it. */
export interface FeedItem {
  /** The transaction of the change. Deliveries about one transaction keep their order. */
  readonly entity: string
  readonly user: string | null
  readonly source: Source
  readonly event: TransactionEvent
  /** The merchant's own data about a purchase; only the feed has it. */
  readonly metadata?: unknown
  /** How a purchase was paid, in the gateway's words; only the feed has it. */
  readonly payment_method?: string
  /** The gateway's name for the merchant; only the feed has it. */
  readonly merchant_reference?: string
}

/** The events that one database transaction publishes. The store numbers and writes them at its end. */
export class Outbox {
  readonly #streams = new Map<string, TransactionEvent[]>()
  readonly #balances = new Map<string, Map<string, BalanceEvent>>()
  readonly #feed: FeedItem[] = []

  /** Adds an event to the stream of `streamUser` and, under `user`, to the merchant's feed. */
  addTransaction(item: FeedItem & { readonly streamUser: string | null }): void {
    this.#feed.push(item)
    if (item.streamUser === null) return
    const events = this.#streams.get(item.streamUser)
    if (events === undefined) this.#streams.set(item.streamUser, [item.event])
    else events.push(item.event)
  }

  /** Only the last state of a balance in one commit is published. */
  setBalance(user: string, event: BalanceEvent): void {
    const balances = this.#balances.get(user) ?? new Map<string, BalanceEvent>()
    balances.delete(event.currency_id)
    balances.set(event.currency_id, event)
    this.#balances.set(user, balances)
  }

  /** The users whose streams get events. */
  get users(): readonly string[] {
    return [...new Set([...this.#streams.keys(), ...this.#balances.keys()])].sort()
  }

  get feed(): readonly FeedItem[] {
    return this.#feed
  }

  get isEmpty(): boolean {
    return this.#feed.length === 0 && this.#streams.size === 0 && this.#balances.size === 0
  }

  /** A user's events in order: transactions, then balances. */
  streamOf(user: string): readonly StreamEvent[] {
    return [
      ...(this.#streams.get(user) ?? []).map((data) => ({ type: 'transaction' as const, data })),
      ...[...(this.#balances.get(user)?.values() ?? [])].map((data) => ({ type: 'balance' as const, data })),
    ]
  }
}
