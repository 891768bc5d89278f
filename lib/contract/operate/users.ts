/** What the console shows of a user, and what an operator may do about one. */
import * as z from 'zod/mini'
import { textField, userReference } from '../request-fields.ts'

const money = { currency_id: z.string(), currency_code: z.string(), network: z.string() }

const balance = z.object({
  ...money,
  available: z.string(),
  held: z.string(),
  /** Why `available` may be below zero. */
  overdraft: z.nullable(z.string()),
  /** What both are worth in US dollars, and when that rate was told; null without a rate. */
  value: z.nullable(z.object({ available: z.string(), held: z.string(), at: z.string() })),
})

/** What explains a difference: amounts as they change the user's money. */
const differing = z.object({
  kind: z.enum(['deposit', 'payout', 'onramp']),
  transaction_uuid: z.nullable(z.string()),
  withdrawal_id: z.nullable(z.string()),
  gateway: z.string(),
  ledger: z.string(),
})

/** What the gateway took in minus what it paid out, by its list and by our books. */
const controlTotals = z.object({
  ...money,
  gateway: z.string(),
  ledger: z.string(),
  difference: z.string(),
  transactions: z.array(differing),
})
export type UserTotals = z.output<typeof controlTotals>

const USER_SESSION_STATES = ['launched', 'waiting', 'ended', 'expired'] as const

const session = z.object({
  id: z.string(),
  state: z.enum(USER_SESSION_STATES),
  created_at: z.string(),
  launched_at: z.nullable(z.string()),
  last_used_at: z.string(),
  ended_at: z.nullable(z.string()),
  flows: z.array(z.string()),
  locale: z.nullable(z.string()),
  country: z.nullable(z.string()),
})
export type UserSession = z.output<typeof session>

const quarantined = z.object({
  id: z.number(),
  reason: z.string(),
  event_name: z.nullable(z.string()),
  transaction_uuid: z.nullable(z.string()),
  received_at: z.string(),
  settled_at: z.nullable(z.string()),
  settled_by: z.nullable(z.string()),
})

const movement = {
  status: z.string(),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
  network: z.string(),
  at: z.string(),
}
const userTransaction = z.object({
  ...movement,
  kind: z.enum(['deposit', 'payout', 'onramp']),
  transaction_uuid: z.string(),
  standing: z.string(),
})
const userWithdrawal = z.object({ ...movement, id: z.string(), to_address: z.string() })
const userPayout = z.object({
  ...movement,
  transaction_uuid: z.string(),
  owner: z.nullable(z.string()),
  withdrawal_id: z.nullable(z.string()),
})
const userPurchase = z.object({
  ...movement,
  id: z.string(),
  /** Of `amount`. */
  fiat_currency: z.string(),
  transaction_uuid: z.nullable(z.string()),
})

export const userView = z.object({
  user_reference_id: z.string(),
  /** False before the user's first session, and after an erasure. */
  is_known: z.boolean(),
  created_at: z.nullable(z.string()),
  last_seen_at: z.nullable(z.string()),
  /** The user's list at the gateway. */
  list: z.object({
    /** When the last complete read of the whole list began. */
    whole_at: z.nullable(z.string()),
    next_at: z.nullable(z.string()),
    is_being_read: z.boolean(),
    unreadable_since: z.nullable(z.string()),
    /** A backup was restored, and the books were not compared with the list since. */
    is_unchecked: z.boolean(),
  }),
  balances: z.array(balance),
  totals: z.object({ checked_at: z.nullable(z.string()), currencies: z.array(controlTotals) }),
  sessions: z.array(session),
  addresses: z.array(z.object({ address: z.string(), currency: z.string(), network: z.string() })),
  sent_to: z.array(z.object({ address: z.string(), network: z.string(), count: z.number(), last_at: z.string() })),
  quarantine: z.array(quarantined),
  transactions: z.array(userTransaction),
  withdrawals: z.array(userWithdrawal),
  payouts: z.array(userPayout),
  purchases: z.array(userPurchase),
  read_at: z.string(),
})
export type UserView = z.output<typeof userView>

const statementEntry = z.object({
  id: z.string(),
  at: z.string(),
  ...money,
  account: z.enum(['available', 'held']),
  reason: z.string(),
  /** Signed. */
  amount: z.string(),
  /** Of this account, in this currency, after the entry. */
  balance: z.string(),
  transaction_uuid: z.nullable(z.string()),
  withdrawal_id: z.nullable(z.string()),
  reference: z.nullable(z.string()),
})
export type StatementEntry = z.output<typeof statementEntry>

export const statementPage = z.object({
  /** Newest first. */
  entries: z.array(statementEntry),
  /** The `after` of the next page; null: these are the oldest. */
  next: z.nullable(z.string()),
})
export type StatementPage = z.output<typeof statementPage>

/** A check that takes long is answered `running`: the same call again waits for it. */
export const checkedUser = z.discriminatedUnion('state', [
  z.object({ state: z.literal('running') }),
  z.object({
    state: z.literal('done'),
    /** Why the list could not be compared; null if it was. */
    failure: z.nullable(z.string()),
    currencies: z.array(controlTotals),
    /** Payouts of the user that nobody owns. */
    open_payouts: z.array(z.string()),
  }),
])
export type CheckedUser = z.output<typeof checkedUser>

export const erasedUser = z.discriminatedUnion('state', [
  z.object({ state: z.literal('running') }),
  z.object({
    state: z.literal('open'),
    /** What has not ended, or waits for a person: nothing was erased. */
    open: z.array(z.object({ what: z.string(), id: z.string(), status: z.string() })),
  }),
  z.object({
    state: z.literal('erased'),
    /** The name under which the ledger keeps the postings. */
    pseudonym: z.string(),
    /** Signed events in quarantine that were deleted, and can no longer be applied. */
    quarantined: z.number(),
    balances: z.array(z.object({ ...money, available: z.string() })),
  }),
])
export type ErasedUser = z.output<typeof erasedUser>

const reason = textField(500, 1)

export const endSessionsRequest = z.strictObject({
  /** Null: all of them. */
  session_id: z.nullable(textField(100, 1)),
  reason,
})
export type EndSessionsRequest = z.output<typeof endSessionsRequest>

export const endedSessions = z.object({ ended: z.number() })

export const checkUserRequest = z.strictObject({ reason })

export const eraseUserRequest = z.strictObject({
  /** The user's reference, typed again. */
  user_reference_id: userReference,
  reason,
})
