/**
 * Schemas of the gateway's replies, after `parseLosslessJson`: an amount is a decimal string, whether it came as a
 * string or a number. Unknown fields and unknown statuses pass.
 */
import * as z from 'zod'
import { canonicalId } from '#lib/contract/canonical-id.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { decimalFromNumberText } from '#lib/contract/money.ts'
import { isNumberIn } from './lossless-json.ts'
import {
  isStorableName,
  LONGEST_LINK,
  LONGEST_NAME,
  LONGEST_TEXT,
  MOST_ENTRIES,
  storableText,
} from './storable-text.ts'
import type {
  NestedCurrency,
  PaymentSessionReply,
  TransactionRecord,
  TransactionsList,
  TransactionsToShow,
  WithdrawReply,
} from './types.ts'

const nonEmpty = z.string().min(1)
const NOT_A_NAME = `not a name of at most ${LONGEST_NAME} characters`
/** A text under which something is stored and found. */
const name = nonEmpty.refine(isStorableName, NOT_A_NAME)
const id = name.transform(canonicalId)
const text = z.string().transform(storableText)
const link = nonEmpty.max(LONGEST_LINK)
/** A shortened cursor would be another cursor. */
const cursor = z.string().max(LONGEST_TEXT).transform(storableText)
/** The entries of a list, not read yet. */
const entries = z.array(z.unknown()).max(MOST_ENTRIES)
/** Also accepts a text with an exponent: some libraries write `0.0000001` as `1E-7`. */
const amount = z.string().transform((value, context) => {
  const plain = decimalFromNumberText(value)
  if (plain !== null) return plain
  context.addIssue('not a decimal')
  return z.NEVER
})
const nullable = text.nullish().transform((value) => value ?? null)
/** An empty text counts as absent: an icon of `""` would be a broken picture. */
const optionalText = text.nullish().transform((value) => (value === '' || value === undefined ? null : value))
/** A hash or a key; it is not shortened, since a shortened key would be another key. */
const nullableName = z
  .string()
  .refine(isStorableName, NOT_A_NAME)
  .nullish()
  .transform((value) => value ?? null)
const optionalName = nullableName.transform((value) => (value === '' ? null : value))
/** An icon whose address is not https counts as absent: a browser would refuse it, or run it. */
export const webIcon = optionalText.transform((value) =>
  value !== null && URL.parse(value)?.protocol === 'https:' ? value : null,
)
const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/**
 * ISO 8601; without a zone it is UTC (the gateway's documentation says so of `inserted_at` and of events), not the time of
 * the machine.
 */
const instant = text
  .transform((value) => (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^Z+-]*$/i.test(value) ? `${value}Z` : value))
  .refine((value) => /^\d{4}-\d\d-\d\d[T ]/.test(value) && !Number.isNaN(Date.parse(value)), 'not a time')
/** An unreadable time counts as absent. */
export const optionalInstant = instant.nullable().catch(null)

/** An entry of the list of currencies, with the id as it is spelled there. */
const listedCurrency = z
  .object({
    id: name,
    currency_code: name,
    name: optionalText,
    symbol: optionalText,
    network: text,
    // A value of any other type counts as absent.
    currency_icon: webIcon.optional().catch(undefined),
  })
  .transform(({ id, currency_code, name, symbol, network, currency_icon }): Currency => ({
    id,
    name: name ?? currency_code,
    currency_code,
    symbol: symbol ?? currency_code,
    network,
    ...(typeof currency_icon === 'string' ? { currency_icon } : {}),
  }))

export interface CurrenciesReply {
  readonly currencies: readonly Currency[]
  /** Number of entries that are unreadable or repeat an id. */
  readonly leftOut: number
  /** By id, how the list spells it: a call names its currency so, since a gateway may compare ids as texts. */
  readonly spellings: ReadonlyMap<string, string>
}

/** Accepts both reply forms: a bare array, or `{currencies}`. An unreadable entry does not affect the others. */
export const currenciesReply = z
  .union([entries, z.object({ currencies: entries }).transform((reply) => reply.currencies)])
  .transform((given): CurrenciesReply => {
    const byId = new Map<string, Currency>()
    const spellings = new Map<string, string>()
    for (const entry of given) {
      const read = listedCurrency.safeParse(entry)
      if (!read.success) continue
      const id = canonicalId(read.data.id)
      if (byId.has(id)) continue
      byId.set(id, { ...read.data, id })
      spellings.set(id, read.data.id)
    }
    return { currencies: [...byId.values()], leftOut: given.length - byId.size, spellings }
  })

export const depositAddressReply = z.object({ address: name, currency: text, network: text })

export const withdrawReply: z.ZodType<WithdrawReply> = z.object({
  amount,
  currency: text,
  requires_approval: z.boolean(),
  status: text,
  wallet_address: text,
  transaction_uuid: z.guid().transform(canonicalId).nullable().catch(null),
})

export const paymentSessionReply: z.ZodType<PaymentSessionReply> = z.object({
  link,
  correlation_key: id,
  expires_at: nullable,
})

export const onrampUrlReply = z
  .object({ success: z.literal(true), data: z.object({ link }) })
  .transform(({ data }) => data)

/** The gateway's documentation does not show this reply: a link, alone or inside `data` as in the legacy on-ramp. */
export const walletLinkReply = z.union([
  z.object({ link }),
  z.object({ data: z.object({ link }) }).transform(({ data }) => data),
])

const nestedCurrency = z
  .looseObject({
    id,
    code: name,
    name: optionalText,
    symbol: optionalText,
    network: text,
    currency_icon: webIcon,
    network_icon: webIcon,
    token_address: nullable,
  })
  .transform((read): NestedCurrency => ({ ...read, name: read.name ?? read.code, symbol: read.symbol ?? read.code }))

/** A number in a stored record, text in a reply. A value that is not a safe integer stays as it is. */
const chainId = {
  chain_id: z
    .unknown()
    .transform((value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value))
    .optional(),
}
/**
 * The provider's detail: numbers stay decimal strings, except for the integers that the gateway's documentation names.
 */
const transactionData = z
  .looseObject({ ...chainId, crypto_transaction: z.looseObject(chainId).optional().catch(undefined) })
  .catch({})
  .transform((data): Readonly<Record<string, unknown>> => data)

const transactionRecord: z.ZodType<TransactionRecord> = z.looseObject({
  transaction_uuid: id,
  type: text,
  status: text,
  merchant_status: nullable,
  amount,
  amount_usd: amount.nullable().catch(null),
  currency: nestedCurrency,
  correlation_key: nullableName.transform((value) => (value === null ? null : canonicalId(value))),
  from_address: nullable,
  to_address: text,
  tx_hash: optionalName,
  provider_transaction_id: nullable,
  provider_wallet_reference: nullable,
  trn_provider_ref: nullable,
  failure_reason: nullable,
  transaction_data: transactionData,
  user_ref_id: z.string().refine(isStorableName),
  inserted_at: instant,
  updated_at: optionalInstant,
  completed_at: optionalInstant,
})

/** Reads a record that we stored as JSON. @throws ZodError, or a `SyntaxError` if it is not JSON */
export const parseStoredRecord = (text: string): TransactionRecord => transactionRecord.parse(JSON.parse(text))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Says of a record whose amount came as a JSON number that it may have lost digits. */
const withInexact = (edge: unknown): unknown =>
  isObject(edge)
    ? { ...edge, inexact: isObject(edge['node']) && isNumberIn(edge['node'], 'amount') ? true : undefined }
    : edge

const transactionEdge = z.preprocess(
  withInexact,
  z.object({ cursor, inserted_at: instant, node: transactionRecord, inexact: z.literal(true).optional() }),
)
const optionalCursor = cursor.nullish().transform((value) => value ?? null)
const page_info = z.object({
  start_cursor: optionalCursor,
  end_cursor: optionalCursor,
  has_next_page: z.boolean(),
  has_previous_page: z.boolean(),
})

/** All or nothing: a page with one unreadable record must not count as complete. */
export const transactionsReply: z.ZodType<TransactionsList> = z.object({
  edges: entries.transform((given, context) => {
    const edges: z.output<typeof transactionEdge>[] = []
    for (const entry of given) {
      const read = transactionEdge.safeParse(entry)
      if (!read.success) {
        // The rest is not read: a long list of faults takes longer than the list.
        const [{ path, message } = { path: [], message: 'unreadable' }] = read.error.issues
        context.issues.push({ code: 'custom', message, path: [edges.length, ...path], input: entry })
        return z.NEVER
      }
      edges.push(read.data)
    }
    return edges
  }),
  page_info,
  total_count: count,
})

/** The same reply, for display: neither an unreadable record nor a wrong count affects the other records. */
export const transactionsToShowReply: z.ZodType<TransactionsToShow> = z
  .object({ edges: entries, page_info, total_count: count.nullable().catch(null) })
  .transform(({ edges: given, page_info, total_count }) => {
    const edges = given.flatMap((entry) => transactionEdge.safeParse(entry).data ?? [])
    return {
      edges,
      page_info,
      total_count: total_count === null || total_count < given.length ? null : total_count,
      left_out: given.length - edges.length,
    }
  })
