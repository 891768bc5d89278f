import { z } from 'zod'

const text = z.string()
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'not a UUID')
const web = z.string().regex(/^(https?:\/\/|data:)/, 'not a URL')
const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'not a decimal text')
const iso = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/, 'not ISO 8601')

export const currency = z.looseObject({
  id: uuid,
  name: text,
  currency_code: text.min(1),
  symbol: text,
  network: text.min(1),
  currency_icon: web.optional(),
})

export const currencyList = z.union([
  z.array(currency),
  z.looseObject({ currencies: z.array(currency) }).transform((list) => list.currencies),
])

export const depositAddress = z.strictObject({ address: text.min(1), currency: text, network: text })

export const withdrawal = z.strictObject({
  amount: decimal,
  currency: text,
  requires_approval: z.boolean(),
  status: text.min(1),
  wallet_address: text,
})

const recordCurrency = z.looseObject({
  code: text,
  currency_icon: text,
  id: uuid,
  name: text,
  network: text,
  network_icon: text,
  symbol: text,
  token_address: text,
})

export const transactionRecord = z.looseObject({
  transaction_uuid: uuid,
  type: text,
  status: text,
  merchant_status: text,
  amount: decimal,
  amount_usd: decimal.nullable(),
  currency: recordCurrency,
  correlation_key: text,
  from_address: text.nullable(),
  to_address: text,
  tx_hash: text.nullable(),
  provider_transaction_id: text.nullable(),
  provider_wallet_reference: text.nullable(),
  trn_provider_ref: text.nullable(),
  failure_reason: text.nullable(),
  transaction_data: z.looseObject({}),
  user_ref_id: text,
  inserted_at: iso,
  updated_at: iso,
  completed_at: iso.nullable(),
})

export const transactionList = z.looseObject({
  edges: z.array(z.looseObject({ cursor: text.min(1), inserted_at: iso, node: transactionRecord })),
  page_info: z.looseObject({
    start_cursor: text,
    end_cursor: text,
    has_next_page: z.boolean(),
    has_previous_page: z.boolean(),
  }),
  total_count: z.int().min(0),
})

export type TransactionList = z.infer<typeof transactionList>

export const paymentSession = z.strictObject({
  link: web,
  correlation_key: text.min(1),
  expires_at: iso.nullable().optional(),
})

export const onrampUrl = z.looseObject({ success: z.literal(true), data: z.looseObject({ link: web }) })

/** The reply of `link_external_wallet`, which is not documented: a link, at the top or in `data`. */
export const walletLink = z.union([z.looseObject({ link: web }), z.looseObject({ data: z.looseObject({ link: web }) })])

export const authFailure = z.looseObject({ message: text })

export const errorResponse = z.looseObject({
  error: z.literal(true),
  message: text.min(1),
  request_id: text.min(1),
  status: text.nullable().optional(),
  transaction_uuid: uuid.nullable().optional(),
})

export const validationError = z.looseObject({
  error: text.min(1),
  errors: z.record(z.string(), z.array(text.min(1)).min(1)),
})

const eventCurrency = z.strictObject({
  id: uuid,
  name: text,
  symbol: text,
  network: text,
  token_address: text,
  currency_icon: text,
  network_icon: text,
  currency_code: text,
})

export const transferEventSchema = z.strictObject({
  event: z.enum(['User Deposit', 'User Payout']),
  transaction: z.strictObject({
    id: uuid,
    status: z.enum(['processing', 'succeeded']),
    date: iso,
    currency: eventCurrency,
    amount: z.number(),
    provider_transaction_id: text,
    to_address: text,
    from_address: text,
    tx_hash: text,
    transaction_type: z.enum(['Deposit', 'Payout']),
    amount_usd: z.number(),
  }),
  transaction_uuid: uuid,
  user_reference: text.nullable(),
  merchant_reference: text,
  payment_method: z.enum(['Deposit', 'Payout']),
})

export const onrampEventSchema = z.strictObject({
  event: z.literal('User Onramp'),
  transaction: z.strictObject({
    id: uuid,
    status: z.enum(['pending', 'processing', 'succeeded', 'failed']),
    transaction_type: z.literal('onramp'),
    date: iso,
    provider_transaction_id: text.nullable(),
    tx_hash: text.nullable(),
    to_amount: z.number().nullable(),
    to_currency: z.strictObject({ code: text, name: text, network: text }),
    from_amount: z.number().nullable(),
    from_currency: text.nullable(),
  }),
  transaction_uuid: uuid,
  user_reference: text.nullable(),
  payment_method: text.nullable(),
  correlation_key: text,
  session_reference: text.nullable().optional(),
})
