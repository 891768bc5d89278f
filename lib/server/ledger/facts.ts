import { addressKey } from '#lib/addresses/index.ts'
import { equals, type Decimal } from '#lib/contract/money.ts'
import { rankOf, type Kind } from './states.ts'

/** What was said about a transaction under one status, by a webhook or by the gateway's list. */
export interface Fact {
  readonly kind: Kind
  readonly transaction_uuid: string
  readonly status: string
  readonly source: 'webhook' | 'reconciliation'
  readonly user_reference_id: string | null
  readonly currency_id: string
  readonly currency_code: string
  readonly network: string
  /** Crypto amount; null for an on-ramp that is not settled. */
  readonly amount: Decimal | null
  readonly amount_usd: Decimal | null
  readonly to_address: string | null
  readonly from_address: string | null
  readonly tx_hash: string | null
  readonly payment_method: string | null
  readonly provider_transaction_id: string | null
  readonly from_amount: Decimal | null
  readonly from_currency: string | null
  readonly correlation_key: string | null
  readonly session_reference: string | null
  /** ISO 8601, as the gateway dated it. */
  readonly occurred_at: string
}

/** Hashes in hexadecimal have no case; others (base58) do. */
export const hashKey = (hash: string | null): string | null =>
  hash === null || hash === '' ? null : /^(0x)?[0-9a-f]+$/i.test(hash) ? hash.toLowerCase() : hash

const sameAmount = (a: Decimal | null, b: Decimal | null): boolean =>
  a === null || b === null ? a === b : equals(a, b)

const sameAddress = (network: string, a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : addressKey(network, a) === addressKey(network, b)

const sameParties = (a: Fact, b: Fact): boolean =>
  a.user_reference_id === b.user_reference_id && a.currency_id === b.currency_id

/** Each part of two facts under one status that must agree. */
const PARTS: readonly ((a: Fact, b: Fact) => boolean)[] = [
  sameParties,
  (a, b) => sameAmount(a.amount, b.amount),
  (a, b) => sameAmount(a.from_amount, b.from_amount),
  (a, b) => a.from_currency === b.from_currency,
  (a, b) => sameAddress(a.network, a.to_address, b.to_address),
  (a, b) => sameAddress(a.network, a.from_address, b.from_address),
  (a, b) => hashKey(a.tx_hash) === hashKey(b.tx_hash),
]

/** Where one of the two is the list's, which tells less, only what both tell is compared. */
const overlap = (a: Fact, b: Fact): Fact => ({
  ...a,
  amount: b.amount === null ? null : a.amount,
  from_amount: b.from_amount === null ? null : a.from_amount,
  from_currency: b.from_currency === null ? null : a.from_currency,
  to_address: b.to_address === null ? null : a.to_address,
  from_address: b.from_address === null ? null : a.from_address,
  tx_hash: b.tx_hash === null ? null : a.tx_hash,
})

function agree(a: Fact, b: Fact): boolean {
  if (a.source === b.source) return PARTS.every((same) => same(a, b))
  const [left, right] = [overlap(a, b), overlap(b, a)]
  return PARTS.every((same) => same(left, right))
}

/**
 * What a new fact is beside those that are known (contract section 6): `seen` before, in `conflict` with one that
 * stays, the webhook that `confirms` what the list had told, or `new`.
 */
export function weigh(fact: Fact, known: readonly Fact[]): 'seen' | 'conflict' | 'confirms' | 'new' {
  const same = known.find((other) => other.status === fact.status)
  if (same) {
    if (!agree(fact, same)) return 'conflict'
    return same.source === 'reconciliation' && fact.source === 'webhook' ? 'confirms' : 'seen'
  }
  return known.every((other) => sameParties(fact, other)) ? 'new' : 'conflict'
}

/** Folds all that was said into one state: the highest rank's words, and what only an earlier one told. */
export function fold(facts: readonly Fact[]): Fact {
  const ordered = [...facts].sort((a, b) => (rankOf(a.kind, a.status) ?? 0) - (rankOf(b.kind, b.status) ?? 0))
  const [first, ...later] = ordered
  if (!first) throw new RangeError('a transaction has at least one fact')
  return later.reduce<Fact>(
    (folded, fact) => ({
      ...fact,
      amount: fact.amount ?? folded.amount,
      amount_usd: fact.amount_usd ?? folded.amount_usd,
      to_address: fact.to_address ?? folded.to_address,
      from_address: fact.from_address ?? folded.from_address,
      tx_hash: fact.tx_hash ?? folded.tx_hash,
      payment_method: fact.payment_method ?? folded.payment_method,
      provider_transaction_id: fact.provider_transaction_id ?? folded.provider_transaction_id,
      from_amount: fact.from_amount ?? folded.from_amount,
      from_currency: fact.from_currency ?? folded.from_currency,
      correlation_key: fact.correlation_key ?? folded.correlation_key,
      session_reference: fact.session_reference ?? folded.session_reference,
    }),
    first,
  )
}
