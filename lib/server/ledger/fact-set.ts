import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Fact, RecordedFact } from './facts.ts'
import { assertInvariant } from './invariant.ts'

/** A transaction by its kind and the gateway's id. */
export const transactionKey = (kind: TransactionKind, uuid: string): string => `${kind} ${uuid}`

const keyOf = ({ kind, transaction_uuid }: Fact): string => transactionKey(kind, transaction_uuid)
/** A transaction has one fact of each status and source. */
const slotOf = ({ status, source }: Fact): string => `${status} ${source}`

/** The facts of a unit of work, by transaction, status and source: the facts that were read, and the changes to them. */
export class FactSet {
  /** When a new fact is recorded. */
  readonly #now: number
  readonly #facts = new Map<string, Map<string, RecordedFact>>()
  readonly #stored = new Set<string>()
  readonly #changed = new Map<string, Fact>()

  constructor(now: number) {
    this.#now = now
  }

  #slots(key: string): Map<string, RecordedFact> {
    const slots = this.#facts.get(key) ?? new Map<string, RecordedFact>()
    this.#facts.set(key, slots)
    return slots
  }

  /** Adds a stored fact, unless a fact of its status and source is here already. */
  load(recorded: RecordedFact): void {
    const key = keyOf(recorded.fact)
    this.#stored.add(key)
    const slots = this.#slots(key)
    const slot = slotOf(recorded.fact)
    if (!slots.has(slot)) slots.set(slot, recorded)
  }

  /** @throws BrokenInvariant if there is a fact of this status and source */
  add(fact: Fact): void {
    const key = keyOf(fact)
    const slots = this.#slots(key)
    assertInvariant(!slots.has(slotOf(fact)), 'fact_once', `${key} ${slotOf(fact)}`)
    slots.set(slotOf(fact), { fact, recorded_ms: this.#now })
    this.#changed.set(key, fact)
  }

  /** Replaces the fact of the same status and source, which keeps its time. */
  replace(fact: Fact): void {
    const key = keyOf(fact)
    const slots = this.#slots(key)
    const recorded_ms = slots.get(slotOf(fact))?.recorded_ms ?? this.#now
    slots.set(slotOf(fact), { fact, recorded_ms })
    this.#changed.set(key, fact)
  }

  /** The facts of a transaction, in no order. */
  of(key: string): readonly Fact[] {
    return this.recorded(key).map(({ fact }) => fact)
  }

  /** The same with the times. */
  recorded(key: string): readonly RecordedFact[] {
    return [...(this.#facts.get(key)?.values() ?? [])]
  }

  /** Whether a fact of this transaction was read. */
  isStored(key: string): boolean {
    return this.#stored.has(key)
  }

  /** For each transaction with new or replaced facts, one of them. */
  changed(): readonly Fact[] {
    return [...this.#changed.values()]
  }
}
