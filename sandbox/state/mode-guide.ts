import { z } from 'zod'
import { modesSchema } from './modes.ts'
import type { Modes } from './modes.ts'

export type ModeName = keyof Modes

export const MODE_NAMES = Object.keys(modesSchema.shape) as readonly ModeName[]

/** What each mode does, for `--help` and the control page. */
export const MODE_ABOUT: Readonly<Record<ModeName, string>> = {
  clock_offset_ms: "added to the gateway's clock, also in Date and X-Timestamp",
  query_form: 'how QUERY is signed',
  currencies_form: 'an array, or an object with currencies',
  currency_list: 'usual has 14 currencies, long has 300',
  approval_above: 'withdrawals above this amount await approval',
  check_wallet_addresses: "a withdrawal's address must be valid for its network",
  magic_values: 'amounts, addresses and users that cause faults',
  payouts_complete_after_ms: 'payouts complete by themselves',
  deposits_confirm_after_ms: 'deposits confirm by themselves',
  onramp_picks_up: 'when a session becomes pending',
  onramp_delivers_after_ms: 'paid sessions succeed by themselves',
  onramp_expires_after_ms: 'payment pages expire; the reply has expires_at, which the spec does not have',
  onramp_deposit: "a succeeded session causes a deposit: after or before the session's event, or off",
  widget_redirect: 'the widget redirects to another origin of this machine',
  widget_link: 'usual, or to a host outside the sandbox: https://pay.example',
  failure_webhooks: 'failed deposits and payouts send an event, which the spec does not have',
  status_words: 'statuses in lists: others are words that the spec does not have, such as TXN_COMPLETED',
  page_size: 'rows of a page if the request has no first or last',
  page_limit: 'maximum rows of a page',
  page_over_limit: 'the answer to a request for more rows',
  webhooks: 'whether webhooks are sent',
  webhook_timeout_ms: 'longest wait for the receiver',
  webhook_retries_ms: 'waits between attempts; after the last attempt the webhook is given up',
}

interface ModeGroup {
  readonly title: string
  /** The label of each mode. */
  readonly modes: Readonly<Partial<Record<ModeName, string>>>
}

/** All modes, in the groups of the control page. */
export const MODE_GROUPS: readonly ModeGroup[] = [
  {
    title: 'Deposits and withdrawals',
    modes: {
      approval_above: 'Withdrawals that await approval: above',
      check_wallet_addresses: 'Check wallet addresses',
      deposits_confirm_after_ms: 'Deposits confirm by themselves',
      payouts_complete_after_ms: 'Payouts complete by themselves',
      failure_webhooks: 'Events for failures',
    },
  },
  {
    title: 'Purchases',
    modes: {
      onramp_picks_up: 'A purchase becomes pending',
      onramp_delivers_after_ms: 'Paid purchases are delivered by themselves',
      onramp_expires_after_ms: 'Payment pages expire',
      onramp_deposit: 'The deposit of a purchase',
      widget_link: 'The link of the payment page',
      widget_redirect: 'The payment page moves to another origin',
    },
  },
  {
    title: 'Webhooks',
    modes: {
      webhooks: 'Webhooks',
      webhook_timeout_ms: 'Longest wait for the receiver',
      webhook_retries_ms: 'Waits between attempts',
    },
  },
  {
    title: 'Currencies and lists',
    modes: {
      currency_list: 'Currencies',
      currencies_form: 'Form of the currency list',
      status_words: 'Statuses in lists',
      page_size: 'Rows of a page by default',
      page_limit: 'Maximum rows of a page',
      page_over_limit: 'A request for more rows',
    },
  },
  {
    title: 'Signatures, clock, magic values',
    modes: {
      query_form: 'How the query is signed',
      clock_offset_ms: 'The clock is ahead by',
      magic_values: 'Magic values',
    },
  },
]

/** Labels of values that are not plain words. */
export const MODE_VALUES: Readonly<Partial<Record<ModeName, Readonly<Record<string, string>>>>> = {
  query_form: { bare: 'without question mark', 'question-mark': 'with question mark', either: 'either way' },
  currencies_form: { array: 'an array', object: 'an object with currencies' },
  currency_list: { usual: 'the usual 14', long: '300, with difficult names', one: 'one', empty: 'none' },
  check_wallet_addresses: { true: 'yes', false: 'no, any text is accepted' },
  magic_values: { true: 'have their effects', false: 'have no effect' },
  onramp_picks_up: { on_open: 'when its page is opened', on_create: 'at once' },
  onramp_deposit: { after: 'comes after its own events', before: 'comes before them', off: 'does not come' },
  widget_link: { usual: 'to the sandbox', elsewhere: 'to https://pay.example' },
  widget_redirect: { on: 'yes', off: 'no' },
  failure_webhooks: { true: 'are sent, which the spec does not have', false: 'are not sent' },
  status_words: { usual: 'the usual words', others: 'other words, such as TXN_COMPLETED' },
  page_over_limit: { clamp: 'gets as many as allowed', refuse: 'is refused (422)' },
  webhooks: { on: 'are sent', off: 'are kept unsent' },
}

/** Whether a mode is a wait, or a list of waits, in milliseconds. */
export const isWait = (name: ModeName): boolean => name.endsWith('_ms')

/** The values of a mode with a fixed list; null for a mode with any number or text. */
export function modeChoices(name: ModeName): readonly string[] | null {
  const schema = modesSchema.shape[name]
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodBoolean ? ['true', 'false'] : null
}

function allowedBy(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNullable) return `${allowedBy(schema.unwrap())}, or off`
  if (schema instanceof z.ZodEnum)
    return new Intl.ListFormat('en', { type: 'disjunction' }).format(schema.options.map(String))
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodNumber)
    return `a whole number from ${String(schema.minValue)} to ${String(schema.maxValue)}`
  if (schema instanceof z.ZodArray)
    return `a list such as 1000,5000 or [1000,5000], each ${allowedBy(schema.element)}; [] is an empty list`
  return 'a decimal number above 0'
}

/** The allowed values of a mode, in words. */
export const modeAllowed = (name: ModeName): string => allowedBy(modesSchema.shape[name])
