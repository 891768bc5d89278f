/**
 * The replies of the BFF to the cashier page (docs/explanation/page-api.md, "Page API").
 * Field names are the gateway's own. Amounts are decimal strings, times ISO 8601 in UTC.
 */
import * as z from 'zod/mini'

export const FLOWS = ['deposit', 'withdraw', 'buy', 'history'] as const
export type Flow = (typeof FLOWS)[number]

export const THEMES = ['light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

export const TIME_RANGES = ['today', 'yesterday', 'this_week', 'this_month', 'last_month', 'last_24hrs'] as const
export type TimeRange = (typeof TIME_RANGES)[number]

export const TRANSACTION_TYPES = ['Deposit', 'Payout'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const WITHDRAWAL_STATUSES = [
  'pending_authorization',
  'processing',
  'awaiting_approval',
  'unknown',
  'succeeded',
  'failed',
] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** Why a withdrawal waits before it is sent: the rules of `WITHDRAWAL_RULES`. */
export const WITHDRAWAL_RULE_NAMES = [
  'review_above',
  'review_new_address',
  'review_more_than',
  'wait_for_new_address',
] as const
export type WithdrawalRuleName = (typeof WITHDRAWAL_RULE_NAMES)[number]

export const CASHIER_STATUSES = [
  'pending',
  'processing',
  'awaiting_approval',
  'unknown',
  'succeeded',
  'failed',
  'other',
] as const
export type CashierStatus = (typeof CASHIER_STATUSES)[number]

export const currencySchema = z.object({
  id: z.string(),
  name: z.string(),
  currency_code: z.string(),
  symbol: z.string(),
  network: z.string(),
  currency_icon: z.optional(z.string()),
  network_icon: z.optional(z.string()),
})
export type Currency = z.infer<typeof currencySchema>
export const currenciesSchema = z.object({ currencies: z.array(currencySchema) })

export const depositAddressSchema = z.object({
  address: z.string(),
  currency: z.string(),
  network: z.string(),
  /** The destination tag or memo that belongs to the address. */
  tag: z.optional(z.string()),
})
export type DepositAddress = z.infer<typeof depositAddressSchema>

/** A page on which the user deposits from another wallet. */
export const depositLinkSchema = z.object({ link: z.string() })
export type DepositLink = z.infer<typeof depositLinkSchema>

export const balanceSchema = z.object({
  currency_id: z.string(),
  currency_code: z.string(),
  network: z.string(),
  available: z.string(),
  held: z.string(),
})
export type Balance = z.infer<typeof balanceSchema>
export const balancesSchema = z.object({ balances: z.array(balanceSchema) })

/** The body of an empty answer. */
export const nothingSchema = z.undefined()

/** The longest name of an address. */
export const MOST_NAME_CHARACTERS = 40

/** An address to which a withdrawal of the user succeeded. */
export const sentAddressSchema = z.object({
  id: z.string(),
  address: z.string(),
  /** The user's own name for it. */
  name: z.nullable(z.string()),
  last_sent_at: z.string(),
})
export type SentAddress = z.infer<typeof sentAddressSchema>

export const knownAddressListSchema = z.object({
  /** Those of the network, newest first. */
  addresses: z.array(sentAddressSchema),
  /** Further addresses of the user, with which a destination may be confused. */
  others: z.array(
    z.object({
      address: z.string(),
      /** `sent`: the user sent to it; `own`: a deposit address of the user; `received`: a deposit came from it. */
      familiarity: z.enum(['sent', 'own', 'received']),
      /** When the user last sent to it on this network; null if never. */
      last_sent_at: z.nullable(z.string()),
    }),
  ),
})
export type KnownAddressList = z.infer<typeof knownAddressListSchema>

/** What a withdrawal waits for before it is sent. */
const waitFields = {
  /** The rules that caught it, also after the wait; empty if none did. */
  review: z.array(z.enum(WITHDRAWAL_RULE_NAMES)),
  /** Before this time it is not sent; null if no rule makes it wait. */
  wait_until: z.nullable(z.string()),
  /** It waits for a person's decision. */
  awaits_decision: z.boolean(),
}
const withdrawalWaitSchema = z.object(waitFields)
export type WithdrawalWait = z.infer<typeof withdrawalWaitSchema>

export const withdrawalSchema = z.object({
  id: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  amount: z.string(),
  currency: z.string(),
  network: z.string(),
  wallet_address: z.string(),
  requires_approval: z.boolean(),
  transaction_uuid: z.nullable(z.string()),
  failure_reason: z.nullable(z.string()),
  user_message: z.nullable(z.string()),
  ...waitFields,
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

export const onrampSessionSchema = z.object({
  id: z.string(),
  link: z.string(),
  status: z.string(),
  expires_at: z.nullable(z.string()),
  /** False if the gateway reports only the deposit of a purchase (`ONRAMP_LEGACY`), otherwise left out. */
  reported: z.optional(z.literal(false)),
})
export type OnrampSession = z.infer<typeof onrampSessionSchema>

/** A purchase that was started before, so that the user can continue it. */
export const startedOnrampSchema = z.extend(onrampSessionSchema, {
  /** The currency's code. */
  currency: z.string(),
  /** Null if the coins go to the user's account. */
  wallet_address: z.nullable(z.string()),
})
export type StartedOnramp = z.infer<typeof startedOnrampSchema>

/** How long it takes, measured by this installation: for half of all, and until nine of ten are through. */
const usualTimeSchema = z.object({ usual_s: z.number(), nine_of_ten_s: z.number() })
export type UsualTime = z.infer<typeof usualTimeSchema>

/** US dollars for one, and since when that is known. */
const rateSchema = z.object({ usd: z.string(), at: z.string() })
export type Rate = z.infer<typeof rateSchema>

/** What to expect of a currency; what is unknown is left out. */
const expectationSchema = z.object({
  currency_id: z.string(),
  currency_code: z.string(),
  network: z.string(),
  withdrawal: z.object({
    min: z.optional(z.string()),
    max: z.optional(z.string()),
    fee: z.optional(z.string()),
    time: z.optional(usualTimeSchema),
  }),
  deposit: z.object({ time: z.optional(usualTimeSchema) }),
  rate: z.optional(rateSchema),
})
export type Expectation = z.infer<typeof expectationSchema>
/** Currencies of which nothing is known are left out. */
export const expectationsSchema = z.object({ expectations: z.array(expectationSchema) })

const text = z.nullable(z.string())

/** A row of the history: the gateway's transaction record with our reading of it in `cashier_status`. */
export const transactionNodeSchema = z.looseObject({
  transaction_uuid: text,
  type: z.string(),
  status: z.string(),
  merchant_status: text,
  amount: z.string(),
  amount_usd: text,
  currency: z.looseObject({
    id: z.string(),
    code: z.string(),
    name: z.string(),
    symbol: z.string(),
    network: z.string(),
    currency_icon: z.optional(text),
    network_icon: z.optional(text),
    token_address: z.optional(text),
  }),
  correlation_key: text,
  from_address: text,
  to_address: text,
  tx_hash: text,
  failure_reason: text,
  user_ref_id: z.string(),
  inserted_at: z.string(),
  updated_at: text,
  completed_at: text,
  cashier_status: z.enum(CASHIER_STATUSES),
  /** The withdrawal's id, if the row is one of our own withdrawals. */
  withdrawal_id: z.optional(z.string()),
  /** For an on-ramp purchase: our session's id, the price, and the payment method. */
  session_reference: z.optional(z.string()),
  from_amount: z.optional(text),
  from_currency: z.optional(text),
  payment_method: z.optional(text),
  user_message: z.optional(text),
  /** For one of our withdrawals: when the gateway was asked to send it. */
  called_at: z.optional(text),
  /** For one of our withdrawals that waits. */
  wait: z.optional(withdrawalWaitSchema),
  /** Only if the gateway paid another amount than the user asked for: both. */
  asked_amount: z.optional(z.string()),
  paid_amount: z.optional(z.string()),
})
export type TransactionNode = z.infer<typeof transactionNodeSchema>

export const transactionsPageSchema = z.object({
  edges: z.array(z.object({ cursor: z.string(), inserted_at: z.string(), node: transactionNodeSchema })),
  page_info: z.object({
    start_cursor: z.nullable(z.string()),
    end_cursor: z.nullable(z.string()),
    has_next_page: z.boolean(),
    has_previous_page: z.boolean(),
  }),
  /** Null if the gateway's count cannot be read. */
  total_count: z.nullable(z.number()),
  /** How many records of the page are not shown because they cannot be read. */
  left_out: z.optional(z.number()),
  stale: z.optional(z.boolean()),
})
export type TransactionsPage = z.infer<typeof transactionsPageSchema>

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  withdrawal_id: z.optional(z.string()),
})
export type ProblemBody = z.infer<typeof problemSchema>
