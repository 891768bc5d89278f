import * as z from 'zod/mini'
import { comparableHash } from '#lib/addresses/index.ts'
import { isDecimal, type Decimal } from '#lib/contract/money.ts'
import { compareAmounts, compareTexts } from './compare.ts'
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
  /** The amount came as a JSON number, and may have lost digits on its way. */
  inexact: z.optional(z.literal(true)),
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
  /** The gateway's name for the merchant, if a webhook gave it. */
  merchant_reference: z.optional(text),
  /** A webhook that may be meant for another merchant of the gateway: it books nothing until the list agrees. */
  unconfirmed: z.optional(z.literal(true)),
  /**
   * A record from another user's list: it books nothing, and a fact that contradicts it is in conflict with the list.
   */
  misplaced: z.optional(z.literal(true)),
  /** The list has taken this final state back since, and a person was told. */
  taken_back: z.optional(z.literal(true)),
  /** Of a disputed transaction: the line, and what the list said then (`listedClaim`). */
  told: z.optional(z.object({ reason: z.enum(['list_conflict', 'contradiction']), said: z.string() })),
  /** The user has been erased since. */
  erased: z.optional(z.literal(true)),
})

/**
 * What a webhook or the gateway's list said about a transaction under one status. Neutral: the gateway's own terms were
 * translated before (`gateway/parse-webhook.ts`, `gateway/listed-records.ts`).
 */
export type Fact = Readonly<z.infer<typeof factSchema>>

/** A fact, and when its source first said it: a webhook, at its `received_ms`. */
export interface RecordedFact {
  readonly fact: Fact
  readonly recorded_ms: number
}

/**
 * Reads a fact from what is stored of it.
 * @throws `z.core.$ZodError` if it is something else
 */
export const parseFact = (value: unknown): Fact => factSchema.parse(value)

/** A currency as a fact names it. */
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
  /** For a record of an unknown type: the fact that it would be as each kind of transaction that a list has. */
  readonly readings?: readonly Fact[]
  /** Only settings give its status a meaning: a record that is stored already may have another one since. */
  readonly changeable?: true
}

/** The fact of a record, or its possible facts if we do not know its type. */
export const possibleFacts = ({ fact, readings = [] }: Pick<ListedRecord, 'fact' | 'readings'>): readonly Fact[] =>
  fact === null ? readings : [fact]

/** The fact of a record that is, or may be, a payout; null if it is certainly not one. */
export const asPayout = (listed: ListedRecord): Fact | null =>
  possibleFacts(listed).find(({ kind }) => kind === 'payout') ?? null

/** The key by which transactions with the same hash are found and compared; null without a hash. */
export const hashKey = ({ tx_hash, network }: Pick<Fact, 'tx_hash' | 'network'>): string | null =>
  tx_hash === null ? null : comparableHash(network, tx_hash) || null

/** Zeros at either end tell nothing: a number that was rounded up to a round one may be longer. */
const digits = ({ amount }: Fact): number => {
  if (amount === null) return 0
  const figures = amount.match(/\d/g) ?? []
  const isTelling = (figure: string): boolean => figure !== '0'
  return figures.findLastIndex(isTelling) - figures.findIndex(isTelling) + 1
}

/** Of two amounts that agree: whether the first has more digits, or as many and lost none as a JSON number. */
export const isMoreExact = (a: Fact, b: Fact): boolean =>
  compareAmounts(a, b) === 'agree' &&
  (digits(a) > digits(b) || (digits(a) === digits(b) && b.inexact === true && a.inexact !== true))

/**
 * Of two amounts that agree, the more exact one, since the other may have lost digits as a JSON number; of two that
 * differ, the later one.
 */
const amountOf = (later: Fact, earlier: Fact): Pick<Fact, 'amount' | 'inexact'> => {
  const { amount, inexact } = later.amount === null || isMoreExact(earlier, later) ? earlier : later
  return { amount, inexact }
}

/** The later fact, with the values that only the earlier fact has. */
export const completed = (later: Fact, earlier: Fact): Fact => ({
  ...later,
  ...amountOf(later, earlier),
  user_reference_id: later.user_reference_id ?? earlier.user_reference_id,
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
  ...(earlier.told !== undefined && { told: earlier.told }),
})

/** The list's own success, unless the list has taken it back. */
export const listedSuccess = (stored: readonly Fact[]): Fact | undefined =>
  stored.find(
    ({ source, status, misplaced, taken_back }) =>
      source === 'reconciliation' && status === 'succeeded' && misplaced === undefined && taken_back === undefined,
  )

/** The facts that may be booked: this merchant's own, and unconfirmed webhooks whose status the list confirms. */
export function bookable(facts: readonly Fact[]): readonly Fact[] {
  const own = facts.filter(({ misplaced }) => misplaced === undefined)
  const listed = new Set(own.filter(({ source }) => source === 'reconciliation').map(({ status }) => status))
  return own.filter((fact) => fact.unconfirmed === undefined || listed.has(fact.status))
}

/** The gateway's name for the merchant of a transaction, if a webhook gave it. */
export const merchantReferenceOf = (facts: readonly Fact[]): string | null =>
  facts.find(({ merchant_reference }) => merchant_reference != null)?.merchant_reference ?? null

/** A currency has the names that the list gives it: an event may have come before they were known. */
function underListedNames(folded: Fact, ordered: readonly Fact[]): Fact {
  const listed = ordered.findLast(
    ({ source, misplaced, currency_id }) =>
      source === 'reconciliation' &&
      misplaced === undefined &&
      compareTexts(currency_id, folded.currency_id) === 'agree',
  )
  return listed === undefined ? folded : { ...folded, currency_code: listed.currency_code, network: listed.network }
}

/** Folds all facts into the present state: the values of the highest rank, and values that only a lower rank has. */
export function fold(facts: readonly Fact[]): Fact {
  // Within one status, the webhook says more than the list.
  const ordered = [...facts].sort(
    (a, b) =>
      (rankOf(a.kind, a.status) ?? 0) - (rankOf(b.kind, b.status) ?? 0) ||
      Number(a.source === 'webhook') - Number(b.source === 'webhook'),
  )
  const [first, ...later] = ordered
  if (!first) throw new RangeError('a transaction has at least one fact')
  const { taken_back: _taken_back, told: _told, ...folded } = later.reduce((all, fact) => completed(fact, all), first)
  return underListedNames(folded, ordered)
}
