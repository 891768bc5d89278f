import { hashKey, type Fact } from './facts.ts'
import { NO_USER } from './row-users.ts'

/** A value of a user's transfer: a hash, the gateway's correlation key, a deposit's uuid, the id of its currency. */
export interface TransferKey {
  readonly user_reference_id: string
  readonly key: string
}

/** What else must be loaded before facts can be applied: other rows of the same transfer, and withdrawals. */
export interface RelatedRows {
  readonly hashes: readonly TransferKey[]
  readonly correlations: readonly TransferKey[]
  /** Deposits by their uuids: on-ramps may have been linked to them. */
  readonly deposits: readonly TransferKey[]
  /** The users of transfers, with the ids of their currencies. */
  readonly owners: readonly TransferKey[]
  /** The users of payouts. */
  readonly payees: readonly string[]
}

/** Each key of each user once. */
class TransferKeys {
  readonly #users = new Map<string, Set<string>>()
  readonly all: TransferKey[] = []

  add(user_reference_id: string, key: string): void {
    const known = this.#users.get(user_reference_id)
    if (known?.has(key) === true) return
    if (known === undefined) this.#users.set(user_reference_id, new Set([key]))
    else known.add(key)
    this.all.push({ user_reference_id, key })
  }
}

/** The further rows that must be loaded to apply these facts. `facts`: the stored and the new ones. */
export function relatedRows(facts: readonly Fact[]): RelatedRows {
  // A transfer's user, currency, hash and key may come in different messages.
  const transfers = Map.groupBy(
    facts.filter(({ kind }) => kind !== 'payout'),
    ({ kind, transaction_uuid }) => `${kind} ${transaction_uuid}`,
  )
  const keyed = (keyOf: (fact: Fact) => string | null, withUnnamed = true): readonly TransferKey[] => {
    const found = new TransferKeys()
    for (const states of transfers.values())
      for (const fact of states) {
        const key = keyOf(fact)
        if (key === null) continue
        for (const { user_reference_id } of states) if (user_reference_id !== null) found.add(user_reference_id, key)
        // The events of its purchase may name no user.
        if (withUnnamed && fact.kind === 'deposit') found.add(NO_USER, key)
      }
    return found.all
  }
  return {
    hashes: keyed(hashKey),
    correlations: keyed(({ correlation_key }) => correlation_key),
    deposits: keyed(({ kind, transaction_uuid }) => (kind === 'deposit' ? transaction_uuid : null), false),
    owners: keyed(({ currency_id }) => currency_id, false),
    payees: [
      ...new Set(
        facts.filter(({ kind }) => kind === 'payout').flatMap(({ user_reference_id }) => user_reference_id ?? []),
      ),
    ],
  }
}
