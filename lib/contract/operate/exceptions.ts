/** The landing page of the console: what needs a person, and the numbers of the day. */
import * as z from 'zod/mini'

/**
 * What may need a person, the most urgent first. Reasons of the quarantine have their own names; `unmatched_payout` is
 * left out, since `payouts_unowned` says the same.
 */
export const EXCEPTION_KINDS = [
  'gateway_refuses',
  'gateway_down',
  'users_unchecked',
  'lost_commits',
  'payouts_unowned',
  'late_payout',
  'contradiction',
  'list_conflict',
  'implausible',
  'totals_differ',
  'overdue',
  'webhooks_silent',
  'webhooks_refused',
  'deliveries_dead',
  'withdrawals_unknown',
  'withdrawals_pending',
  'withdrawals_awaiting',
  'deliveries_failing',
  'unknown_currency',
  'unknown_status',
  'unknown_event',
  'unreadable',
  'conflict',
  'foreign_record',
  'unknown_user',
  'stale',
  'other_merchant',
] as const
const exceptionKind = z.enum(EXCEPTION_KINDS)
export type ExceptionKind = z.output<typeof exceptionKind>

const exceptionItem = z.object({
  kind: exceptionKind,
  count: z.number(),
  /** There are more than `count`. */
  more: z.boolean(),
  /** ISO time since when the oldest waits; null if nothing says it. */
  oldest_at: z.nullable(z.string()),
  /** Such as the failure that the gateway's replies have. */
  detail: z.nullable(z.string()),
})
export type ExceptionItem = z.output<typeof exceptionItem>

export const exceptionsReply = z.object({
  /** In the order of `EXCEPTION_KINDS`, without those that nothing has. */
  exceptions: z.array(exceptionItem),
  /** ISO time of the last accepted webhook; null if none is stored. */
  last_webhook_at: z.nullable(z.string()),
})
export type ExceptionsReply = z.output<typeof exceptionsReply>

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const dayQuery = z.object({
  time_zone: z._default(
    z.string().check(z.maxLength(64), z.refine(isTimeZone, { error: 'must be a time zone' })),
    'UTC',
  ),
})
export type DayQuery = z.output<typeof dayQuery>

const counted = z.object({ count: z.number(), sum: z.string() })
export type Counted = z.output<typeof counted>

/** Decimal strings; null where nothing is known of the currency, or the merchant keeps the books. */
const currencyNumbers = z.object({
  currency_code: z.string(),
  network: z.string(),
  deposits: counted,
  withdrawals: counted,
  purchases: counted,
  /** Of all users: what they have, and what of it their open withdrawals hold. */
  balances: z.nullable(z.string()),
  held: z.nullable(z.string()),
  /** What the gateway took in minus what it paid out, by the last comparison of each user's list, and by the books. */
  gateway: z.nullable(z.string()),
  ledger: z.nullable(z.string()),
  /** For how many users the two differ. */
  differing: z.number(),
})
export type CurrencyNumbers = z.output<typeof currencyNumbers>

export const dayReply = z.object({
  /** The day in the time zone: ISO times of its beginning and its end. */
  from: z.string(),
  until: z.string(),
  time_zone: z.string(),
  currencies: z.array(currencyNumbers),
  /** Events that are not counted yet. */
  uncounted: z.number(),
  /** ISO time at which balances and control totals were added up; null if they were not yet. */
  totals_at: z.nullable(z.string()),
  /** Users whose list was not compared with the books yet, and whether there are more. */
  uncompared: z.number(),
  uncompared_more: z.boolean(),
})
export type DayReply = z.output<typeof dayReply>

/** As many days as the charts show, with today. */
export const SHOWN_DAYS = 7

/** What succeeded on each of the days, the oldest first, by currency. */
const currencyDays = z.object({
  currency_code: z.string(),
  network: z.string(),
  deposits: z.array(counted),
  withdrawals: z.array(counted),
  purchases: z.array(counted),
})
export type CurrencyDays = z.output<typeof currencyDays>

/** `GET /api/operate/days` */
export const daysReply = z.object({
  time_zone: z.string(),
  /** ISO times at which the days begin. */
  days: z.array(z.string()),
  currencies: z.array(currencyDays),
})
export type DaysReply = z.output<typeof daysReply>
