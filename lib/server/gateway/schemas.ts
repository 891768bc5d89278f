/**
 * Readers of the gateway's replies. They take what `parseLosslessJson` gives: an amount is a decimal string
 * whether it came as a string or a number. Unknown fields and unknown status words pass.
 */
import * as z from 'zod'
import type { Currency } from '#lib/contract/cashier.ts'
import { isDecimal } from '#lib/contract/money.ts'
import type { NestedCurrency, PaymentSessionReply, TransactionRecord, TransactionsList, WithdrawReply } from './port.ts'

const word = z.string().min(1)
const amount = z.string().refine(isDecimal, 'not a decimal')
const nullable = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
/** An absent or empty text is none: an icon of `""` would be a broken picture. */
const optionalText = z
  .string()
  .nullish()
  .transform((value) => (value === '' || value === undefined ? null : value))
const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/** ISO 8601; where no zone was sent, UTC is meant (the spec says UTC of `inserted_at` alone). */
const instant = z
  .string()
  .transform((text) => (/[T ]\d{2}:\d{2}[^Z+-]*$/i.test(text) ? `${text}Z` : text))
  .refine((text) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\d[T ]/.test(text), 'not a time')
const optionalInstant = z.union([instant, z.null(), z.undefined().transform(() => null)])

const currency = z
  .object({
    id: word,
    currency_code: word,
    name: optionalText,
    symbol: optionalText,
    network: z.string(),
    currency_icon: optionalText.optional(),
  })
  .transform(({ id, currency_code, name, symbol, network, currency_icon }): Currency => ({
    id,
    name: name ?? currency_code,
    currency_code,
    symbol: symbol ?? currency_code,
    network,
    ...(typeof currency_icon === 'string' ? { currency_icon } : {}),
  }))

/** Both reply forms: a bare array, or `{currencies}`. */
export const currenciesReply = z.union([
  z.array(currency),
  z.object({ currencies: z.array(currency) }).transform((reply) => reply.currencies),
])

export const depositAddressReply = z.object({ address: word, currency: z.string(), network: z.string() })

export const withdrawReply: z.ZodType<WithdrawReply> = z.object({
  amount,
  currency: z.string(),
  requires_approval: z.boolean(),
  status: z.string(),
  wallet_address: z.string(),
})

export const paymentSessionReply: z.ZodType<PaymentSessionReply> = z.object({
  link: word,
  correlation_key: word,
  expires_at: nullable,
})

export const onrampUrlReply = z
  .object({ success: z.literal(true), data: z.object({ link: word }) })
  .transform(({ data }) => data)

/** For shapes that the spec does not show: any JSON object. */
export const anyObjectReply = z.record(z.string(), z.unknown())

const nestedCurrency = z
  .looseObject({
    id: word,
    code: word,
    name: optionalText,
    symbol: optionalText,
    network: z.string(),
    currency_icon: optionalText,
    network_icon: optionalText,
    token_address: optionalText,
  })
  .transform((read): NestedCurrency => ({ ...read, name: read.name ?? read.code, symbol: read.symbol ?? read.code }))

const chainId = { chain_id: count.nullish() }
/** The provider's detail: numbers stay decimal strings, but for the integers that the spec names. */
const transactionData = z
  .looseObject({ ...chainId, crypto_transaction: z.looseObject(chainId).nullish() })
  .nullish()
  .transform((data): Readonly<Record<string, unknown>> => data ?? {})

const transactionRecord: z.ZodType<TransactionRecord> = z.looseObject({
  transaction_uuid: word,
  type: z.string(),
  status: z.string(),
  merchant_status: nullable,
  amount,
  amount_usd: amount.nullish().transform((value) => value ?? null),
  currency: nestedCurrency,
  correlation_key: nullable,
  from_address: nullable,
  to_address: z.string(),
  tx_hash: optionalText,
  provider_transaction_id: nullable,
  provider_wallet_reference: nullable,
  trn_provider_ref: nullable,
  failure_reason: nullable,
  transaction_data: transactionData,
  user_ref_id: z.string(),
  inserted_at: instant,
  updated_at: optionalInstant,
  completed_at: optionalInstant,
})

/** All or nothing: a page with one record that cannot be read must not pass for a complete one. */
export const transactionsReply: z.ZodType<TransactionsList> = z.object({
  edges: z.array(z.object({ cursor: z.string(), inserted_at: instant, node: transactionRecord })),
  page_info: z.object({
    start_cursor: nullable,
    end_cursor: nullable,
    has_next_page: z.boolean(),
    has_previous_page: z.boolean(),
  }),
  total_count: count,
})
