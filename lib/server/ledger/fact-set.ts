import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Fact } from './facts.ts'

/** A transaction by its kind and the gateway's id. */
export const transactionKey = (kind: TransactionKind, uuid: string): string => `${kind} ${uuid}`

const keyOf = ({ kind, transaction_uuid }: Fact): string => transactionKey(kind, transaction_uuid)
/** A transaction has one fact of each status and source. */
const slotOf = ({ status, source }: Fact): string => `${status} ${source}`

/**
 * The facts of a unit of work, by transaction, status and source: the facts that were read, and the changes to them.
 */
export class FactSet {
  readonly #facts = new Map<string, Map<string, Fact>>()
  readonly #loaded = new Set<string>()
  readonly #added = new Map<string, Fact>()
  readonly #replaced = new Map<string, Fact>()

  #slots(key: string): Map<string, Fact> {
    const slots = this.#facts.get(key) ?? new Map<string, Fact>()
    this.#facts.set(key, slots)
    return slots
  }

  /** Adds a stored fact, unless a fact of its status and source is here already. */
  load(fact: Fact): void {
    this.#loaded.add(keyOf(fact))
    const slots = this.#slots(keyOf(fact))
    if (!slots.has(slotOf(fact))) slots.set(slotOf(fact), fact)
  }

  add(fact: Fact): void {
    this.#slots(keyOf(fact)).set(slotOf(fact), fact)
    this.#added.set(`${keyOf(fact)} ${slotOf(fact)}`, fact)
  }

  /** Replaces the fact of the same status and source. */
  replace(fact: Fact): void {
    const id = `${keyOf(fact)} ${slotOf(fact)}`
    this.#slots(keyOf(fact)).set(slotOf(fact), fact)
    const changed = this.#added.has(id) ? this.#added : this.#replaced
    changed.set(id, fact)
  }

  /** The facts of a transaction, in no order. */
  of(key: string): readonly Fact[] {
    return [...(this.#facts.get(key)?.values() ?? [])]
  }

  /** Whether a fact of this transaction was read. */
  isStored(key: string): boolean {
    return this.#loaded.has(key)
  }

  all(): readonly Fact[] {
    return [...this.#facts.values()].flatMap((slots) => [...slots.values()])
  }

  /** What the store has to write. */
  changes() {
    return { facts: [...this.#added.values()], replacedFacts: [...this.#replaced.values()] }
  }
}
