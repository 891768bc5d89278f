import { z } from 'zod'
import { amount, text, userReference, webAddress } from '../operations/fields.ts'

/** What an event belongs to: its control route, and where the answer has it. */
export const SUBJECTS = {
  deposit: { path: '/deposits', field: 'transaction', id: 'transaction_uuid' },
  payout: { path: '/withdrawals', field: 'transaction', id: 'transaction_uuid' },
  onramp: { path: '/onramp-sessions', field: 'session', id: 'uuid' },
} as const

export type SubjectKind = keyof typeof SUBJECTS

interface Trigger {
  readonly kind: SubjectKind
  readonly about: string
  /** Sent when the subject is made. */
  readonly make?: Readonly<Record<string, unknown>>
  /** The step after it is made; null for none. */
  readonly step: string | null
  /** The step of one that exists, if it is another one; null if the event only makes new ones. */
  readonly existing?: string | null
}

/** Every event and status of the spec, and the states that it leaves open. */
export const TRIGGERS = {
  'deposit.processing': { kind: 'deposit', about: 'a transfer is detected', step: null, existing: null },
  'deposit.succeeded': { kind: 'deposit', about: 'it is confirmed', step: 'confirm' },
  'deposit.failed': { kind: 'deposit', about: 'it fails; sends no event by default', step: 'fail' },
  'payout.processing': {
    kind: 'payout',
    about: 'accepted or approved; sends no event',
    step: null,
    existing: 'approve',
  },
  'payout.awaiting_approval': {
    kind: 'payout',
    about: 'a payout that awaits approval; sends no event',
    make: { requires_approval: true },
    step: null,
    existing: null,
  },
  'payout.succeeded': { kind: 'payout', about: 'the funds were sent', step: 'complete' },
  'payout.failed': { kind: 'payout', about: 'declined or failed; sends no event by default', step: 'fail' },
  'onramp.pending': { kind: 'onramp', about: 'the provider waits for the payment', step: 'pending' },
  'onramp.processing': { kind: 'onramp', about: 'the payment is accepted', step: 'processing' },
  'onramp.succeeded': { kind: 'onramp', about: 'the crypto is delivered, with its deposit', step: 'succeeded' },
  'onramp.failed': { kind: 'onramp', about: 'no funds moved', step: 'failed' },
} as const satisfies Readonly<Record<string, Trigger>>

export type TriggerName = keyof typeof TRIGGERS
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as readonly TriggerName[]
export const triggerOf = (name: TriggerName): Trigger => TRIGGERS[name]

const currency = text.regex(/^[^@\s]+(?:@[^@\s]+)?$/, 'must be a code with its network, such as USDT@Tron')

/** What an event can be given. The options of `trigger` have these names, with hyphens. */
export const triggerFields = {
  id: text.optional(),
  user: userReference.optional(),
  currency: currency.optional(),
  amount: amount.optional(),
  merchant: text.optional(),
  wallet: text.optional(),
  from_address: text.optional(),
  tx_hash: text.optional(),
  reason: text.optional(),
  fiat_currency: text.optional(),
  country: text.optional(),
  session_reference: text.optional(),
  redirect_url: webAddress.optional(),
  payment_method: text.optional(),
  to_amount: amount.optional(),
  deposit_amount: amount.optional(),
}

export const triggerInput = z.strictObject(triggerFields)
export type TriggerInput = z.infer<typeof triggerInput>
export type TriggerField = keyof TriggerInput

interface FieldUse {
  readonly takes: string
  readonly about: string
  /** The kinds that take it when they are made, with the field's name in the control API. */
  readonly make?: { readonly kinds: readonly SubjectKind[]; readonly as: string }
  /** The steps that take it. */
  readonly step?: readonly string[]
}

const ALL: readonly SubjectKind[] = ['deposit', 'payout', 'onramp']
const DETAILS: readonly string[] = ['pending', 'processing', 'succeeded', 'failed']

export const FIELD_USES: Readonly<Record<TriggerField, FieldUse>> = {
  id: { takes: 'UUID', about: 'one that exists, instead of a new one' },
  user: { takes: 'USER', about: "the user's reference [sandbox-user]", make: { kinds: ALL, as: 'user_reference' } },
  currency: { takes: 'CODE@NETWORK', about: 'its currency [USDT@Tron]', make: { kinds: ALL, as: 'currency' } },
  amount: {
    takes: 'DECIMAL',
    about: 'its amount; of a purchase in fiat [10]. With --id: what a deposit is confirmed with',
    make: { kinds: ALL, as: 'amount' },
    step: ['confirm'],
  },
  merchant: { takes: 'ID', about: 'its merchant [the first]', make: { kinds: ALL, as: 'merchant_id' } },
  wallet: { takes: 'ADDRESS', about: "a payout's destination", make: { kinds: ['payout'], as: 'wallet_address' } },
  from_address: { takes: 'ADDRESS', about: "a deposit's sender", make: { kinds: ['deposit'], as: 'from_address' } },
  tx_hash: { takes: 'HASH', about: 'its hash', make: { kinds: ['deposit'], as: 'tx_hash' }, step: DETAILS },
  reason: { takes: 'TEXT', about: 'why it fails', step: ['fail'] },
  fiat_currency: { takes: 'CODE', about: 'of a purchase [EUR]', make: { kinds: ['onramp'], as: 'fiat_currency' } },
  country: { takes: 'CODE', about: 'of a purchase [DE]', make: { kinds: ['onramp'], as: 'country' } },
  session_reference: {
    takes: 'TEXT',
    about: "the merchant's id of a purchase",
    make: { kinds: ['onramp'], as: 'session_reference' },
  },
  redirect_url: { takes: 'URL', about: "a purchase's return", make: { kinds: ['onramp'], as: 'redirect_url' } },
  payment_method: { takes: 'TEXT', about: 'how a purchase is paid', step: DETAILS },
  to_amount: { takes: 'DECIMAL', about: 'the crypto that a purchase delivers', step: DETAILS },
  deposit_amount: { takes: 'DECIMAL', about: 'the deposit after a purchase, if it differs', step: DETAILS },
}
