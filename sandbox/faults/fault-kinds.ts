import type { OperationName } from '../operations/operation-names.ts'
import type { OperationFaultKind } from './operation-faults.ts'
import type { WebhookFaultKind } from './webhook-faults.ts'

const OF_ANY_CALL = [
  'delay',
  'cut_before_commit',
  'cut_after_commit',
  'cut_mid_reply',
  'error_before_commit',
  'error_after_commit',
  'garbage',
  'wrong_shape',
  'oversized',
  'redirect',
  'rate_limited',
  'silence',
  'refuse',
] as const

const OF_LISTS = [...OF_ANY_CALL, 'clamp_page', 'repeat_cursor', 'lag', 'wrong_count'] as const

/** The kinds of fault that a target can have; `*` is every operation. */
export const FAULT_KINDS = {
  currencies: OF_ANY_CALL,
  merchant_transactions: OF_LISTS,
  deposit_address: OF_ANY_CALL,
  link_external_wallet: OF_ANY_CALL,
  withdraw: [
    ...OF_ANY_CALL,
    'refuse_with_transaction',
    'too_small',
    'needs_approval',
    'completes_later',
    'fails_later',
  ],
  user_transactions: OF_LISTS,
  payments: OF_ANY_CALL,
  onramp_url: OF_ANY_CALL,
  '*': OF_ANY_CALL,
  webhooks: [
    'drop',
    'duplicate',
    'reorder',
    'delay',
    'wrong_signature',
    'other_key',
    'stale_timestamp',
    'round_amounts',
  ],
} as const satisfies Readonly<
  Record<OperationName | '*', readonly OperationFaultKind[]> & Record<'webhooks', readonly WebhookFaultKind[]>
>

export type FaultTarget = keyof typeof FAULT_KINDS

export const canHave = (target: FaultTarget, kind: string): boolean => FAULT_KINDS[target].some((one) => one === kind)
