import * as z from 'zod/mini'
import { comparableAddress, comparableHash } from '#lib/addresses/index.ts'
import { equals, isDecimal, type Decimal } from '#lib/contract/money.ts'
import { rankOf, TRANSACTION_KINDS, TRANSACTION_STATUSES } from './transaction-statuses.ts'

const text = z.nullable(z.string())
const amount = z.nullable(z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value)))

const factSchema = z.object({
  kind: z.enum(TRANSACTION_KINDS),
  transaction_uuid: z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  source: z.enum(['webhook', 'reconciliation']),
  user_reference_id: text,
  currency_id: z.string(),
  currency_code: z.string(),
  network: z.string(),
  /** Crypto amount; null for an on-ramp that is not settled. */
  amount,
  amount_usd: amount,
  to_address: text,
  from_address: text,
  tx_hash: text,
  payment_method: text,
  provider_transaction_id: text,
  from_amount: amount,
  from_currency: text,
  correlation_key: text,
  session_reference: text,
  /** ISO 8601, as the gateway dated it. */
  occurred_at: z.string(),
  /** What the gateway calls the merchant, where a webhook says so. */
  merchant_reference: z.optional(text),
  /** A webhook that any merchant of the gateway's could have been sent: it books nothing before the list agrees. */
  unconfirmed: z.optional(z.literal(true)),
  /** A record that another user's list had: it books nothing, and what contradicts it is in conflict with the list. */
  misplaced: z.optional(z.literal(true)),
  /** Its user was erased since. */
  erased: z.optional(z.literal(true)),
})

/**
 * What a webhook or the gateway's list said about a transaction under one status. Neutral: the gateway's own terms are
 * translated before (`gateway/parse-webhook.ts`, `gateway/listed-records.ts`).
 */
export type Fact = Readonly<z.infer<typeof factSchema>>

/** Reads a stored fact. */
export const parseFact = (content: string): Fact => factSchema.parse(JSON.parse(content))

/** A currency as a fact brings it. */
export interface FactCurrency {
  readonly id: string
  readonly name: string
  readonly currency_code: string
  readonly symbol: string
  readonly network: string
  readonly network_icon?: string | undefined
}

/** A record of the gateway's list: its neutral fact, and the record's own text for the history. */
export interface ListedRecord {
  readonly transaction_uuid: string
  readonly user_reference_id: string
  readonly type: string
  readonly status: string
  readonly inserted_at: string
  /** The list's cursor of this record. */
  readonly cursor: string
  /** The record as JSON. */
  readonly record: string
  readonly currency: FactCurrency
  /** Null for a record type that we do not know. */
  readonly fact: Fact | null
  /** Of a type that we do not know: what it would say as each kind that a list has. */
  readonly readings?: readonly Fact[]
}

/** What a record says, or may say where we do not know its type. */
export const possibleFacts = ({ fact, readings = [] }: Pick<ListedRecord, 'fact' | 'readings'>): readonly Fact[] =>
  fact === null ? readings : [fact]

/** What a record says if it is of a payout; null where it is certainly not. */
export const asPayout = (listed: ListedRecord): Fact | null =>
  possibleFacts(listed).find(({ kind }) => kind === 'payout') ?? null

/** What the hash of a transaction is found and compared by; null where there is none. */
export const hashKey = ({ tx_hash, network }: Pick<Fact, 'tx_hash' | 'network'>): string | null =>
  tx_hash === null ? null : comparableHash(network, tx_hash) || null

const sameAmount = (a: Decimal | null, b: Decimal | null): boolean =>
  a === null || b === null ? a === b : equals(a, b)

const sameAddress = (network: string, a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : comparableAddress(network, a) === comparableAddress(network, b)

const sameParties = (a: Fact, b: Fact): boolean =>
  a.user_reference_id === b.user_reference_id && a.currency_id === b.currency_id

/** Everything that two facts under one status must agree on. */
const COMPARISONS: readonly ((a: Fact, b: Fact) => boolean)[] = [
  sameParties,
  (a, b) => sameAmount(a.amount, b.amount),
  (a, b) => sameAmount(a.from_amount, b.from_amount),
  (a, b) => a.from_currency === b.from_currency,
  (a, b) => sameAddress(a.network, a.to_address, b.to_address),
  (a, b) => sameAddress(a.network, a.from_address, b.from_address),
  (a, b) => hashKey(a) === hashKey({ ...b, network: a.network }),
]

/** The list says less than a webhook: between the two, only what both have is compared. */
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
  if (a.source === b.source) return COMPARISONS.every((same) => same(a, b))
  const [left, right] = [overlap(a, b), overlap(b, a)]
  return COMPARISONS.every((same) => same(left, right))
}

/** What webhook and list must agree on, or nothing is booked; between statuses the amount of the later one holds. */
const sameMoney = (a: Fact, b: Fact): boolean =>
  sameParties(a, b) && (a.status !== b.status || a.amount === null || b.amount === null || equals(a.amount, b.amount))

export type FactClass = 'seen' | 'conflict' | 'list_conflict' | 'confirms' | 'completes' | 'new'

/** The later fact, with what only the earlier one has. */
export const completed = (later: Fact, earlier: Fact): Fact => ({
  ...later,
  amount: later.amount ?? earlier.amount,
  amount_usd: later.amount_usd ?? earlier.amount_usd,
  to_address: later.to_address ?? earlier.to_address,
  from_address: later.from_address ?? earlier.from_address,
  tx_hash: later.tx_hash ?? earlier.tx_hash,
  payment_method: later.payment_method ?? earlier.payment_method,
  provider_transaction_id: later.provider_transaction_id ?? earlier.provider_transaction_id,
  from_amount: later.from_amount ?? earlier.from_amount,
  from_currency: later.from_currency ?? earlier.from_currency,
  correlation_key: later.correlation_key ?? earlier.correlation_key,
  session_reference: later.session_reference ?? earlier.session_reference,
})

/** A record of the list beside an earlier one of the same status. Only the amount of a success is final. */
function classifyListed(fact: Fact, before: Fact): FactClass {
  if (before.erased) return 'conflict'
  if (!sameParties(fact, before)) return 'list_conflict'
  // From here on it stands in the list of its own user.
  if (before.misplaced && !fact.misplaced) return sameAmount(fact.amount, before.amount) ? 'completes' : 'list_conflict'
  if (fact.status === 'succeeded' && !sameAmount(fact.amount, before.amount)) return 'list_conflict'
  const now = completed(fact, before)
  return agree(now, before) && now.correlation_key === before.correlation_key ? 'seen' : 'completes'
}

/** A webhook that comes again. One that is the first to name its session completes the other. */
function classifyRepeated(fact: Fact, before: Fact): FactClass {
  if (!agree(fact, before)) return 'conflict'
  const now = completed(before, fact)
  const named = now.correlation_key !== before.correlation_key || now.session_reference !== before.session_reference
  return named ? 'completes' : 'seen'
}

/**
 * Compares a new fact with those that are stored: `seen` before, in `conflict` with one of them (the stored one stays),
 * in `list_conflict` where webhook and list, or the list and itself, disagree about money, a fact that `confirms` what
 * the other source said of this status, one that `completes` what its own source said of it, or `new`.
 */
export function classifyFact(fact: Fact, stored: readonly Fact[]): FactClass {
  const before = stored.find((other) => other.status === fact.status && other.source === fact.source)
  if (before !== undefined && fact.source === 'webhook') return classifyRepeated(fact, before)
  const across = stored.filter((other) => other.source !== fact.source)
  // An erased user has another name in what is stored.
  if (across.some((other) => !sameMoney(fact, other)))
    return stored.some((other) => other.erased) ? 'conflict' : 'list_conflict'
  if (before !== undefined) return classifyListed(fact, before)
  if (!stored.every((other) => sameParties(fact, other)))
    return fact.source === 'webhook' || stored.some((other) => other.erased) ? 'conflict' : 'list_conflict'
  const twin = across.find((other) => other.status === fact.status)
  if (twin === undefined) return 'new'
  return fact.source === 'webhook' && !agree(fact, twin) ? 'conflict' : 'confirms'
}

/** The facts that may be booked: those of this merchant, and what an unconfirmed webhook says that the list says too. */
export function bookable(facts: readonly Fact[]): readonly Fact[] {
  const own = facts.filter(({ misplaced }) => misplaced === undefined)
  const listed = new Set(own.filter(({ source }) => source === 'reconciliation').map(({ status }) => status))
  return own.filter((fact) => fact.unconfirmed === undefined || listed.has(fact.status))
}

/** What the gateway calls the merchant of a transaction, as far as a webhook said so. */
export const merchantReferenceOf = (facts: readonly Fact[]): string | null =>
  facts.find(({ merchant_reference }) => merchant_reference != null)?.merchant_reference ?? null

/** Folds all facts into the present state: the values of the highest rank, and what only a lower one has. */
export function fold(facts: readonly Fact[]): Fact {
  // Of one status, the webhook says more than the list.
  const ordered = [...facts].sort(
    (a, b) =>
      (rankOf(a.kind, a.status) ?? 0) - (rankOf(b.kind, b.status) ?? 0) ||
      Number(a.source === 'webhook') - Number(b.source === 'webhook'),
  )
  const [first, ...later] = ordered
  if (!first) throw new RangeError('a transaction has at least one fact')
  return later.reduce((folded, fact) => completed(fact, folded), first)
}
