import { hashKey, type Fact } from './facts.ts'

/** A transfer by a value that another transaction may have: a hash, the gateway's correlation key, a deposit's uuid. */
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
  /** The users of payouts. */
  readonly payees: readonly string[]
}

const unique = <T extends object>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [JSON.stringify(Object.values(item)), item])).values(),
]

/** The further rows that must be loaded to apply these facts. `facts`: the stored and the new ones. */
export function relatedRows(facts: readonly Fact[]): RelatedRows {
  // An on-ramp's user, hash and key may come in different messages.
  const transfers = Map.groupBy(
    facts.filter(({ kind }) => kind !== 'payout'),
    ({ kind, transaction_uuid }) => `${kind} ${transaction_uuid}`,
  )
  const keyed = (keyOf: (fact: Fact) => string | null): readonly TransferKey[] =>
    unique(
      [...transfers.values()].flatMap((states) => {
        const users = new Set(states.flatMap(({ user_reference_id }) => user_reference_id ?? []))
        const keys = new Set(states.flatMap((fact) => keyOf(fact) ?? []))
        return [...users].flatMap((user_reference_id) => [...keys].map((key) => ({ user_reference_id, key })))
      }),
    )
  return {
    hashes: keyed(hashKey),
    correlations: keyed(({ correlation_key }) => correlation_key),
    deposits: keyed(({ kind, transaction_uuid }) => (kind === 'deposit' ? transaction_uuid : null)),
    payees: [
      ...new Set(
        facts.filter(({ kind }) => kind === 'payout').flatMap(({ user_reference_id }) => user_reference_id ?? []),
      ),
    ],
  }
}
