/** Sample rows of the store for tests. */
import { decimal } from '#lib/contract/money.ts'
import type { Fact } from '../../ledger/facts.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import type {
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  TransactionRow,
  WithdrawalCallRow,
  WithdrawalColumns,
  WithdrawalRow,
} from '../../ledger/rows.ts'
import { CALL_STATES, OUTCOMES } from '../../ledger/withdrawal-shapes.ts'
import type { ListScan, NewProposal, NewSession } from '../types.ts'

export const sampleCurrency = {
  id: 'c1',
  name: 'Tether',
  currency_code: 'USDT',
  symbol: '₮',
  network: 'Tron',
} as const

export const sampleSession = (more: Partial<NewSession> = {}): NewSession => ({
  id: 's1',
  user_reference_id: 'u',
  flows: ['deposit'],
  locale: null,
  theme: null,
  tokens: null,
  support_url: null,
  country: null,
  currency_ids: null,
  return_url: null,
  created_ms: 1000,
  ...more,
})

export const sampleOperator = {
  id: 'o',
  name: 'Ada',
  name_key: 'ada',
  role: 'viewer',
  created_ms: 1,
  disabled_ms: null,
} as const

const WITHDRAWAL: WithdrawalColumns = {
  id: 'w1',
  user_reference_id: 'u',
  idempotency_key: 'key-1',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: decimal('1.50'),
  wallet_address: 'TAddress',
  status: 'processing',
  step: 'ended',
  driver: null,
  funds: 'held',
  postings: 1,
  requires_approval: 0,
  transaction_uuid: null,
  failure: null,
  failure_reason: null,
  user_message: null,
  declined_at_request: 0,
  record_status: null,
  paid_amount: null,
  first_result: null,
  created_ms: 1000,
  called_ms: null,
  call_ended_ms: null,
  absent_scans: 0,
  checks: 0,
  next_check_ms: null,
  checked_ms: null,
  updated_ms: 1000,
  clock_offset_ms: null,
  reply_amount: null,
  reply_transaction_uuid: null,
  early_decision: null,
  decided_by: null,
  review: null,
  wait_until_ms: null,
  overdue_ms: null,
  resolution: null,
  states: '[]',
}

const callOf = ({ step, called_ms }: WithdrawalColumns): keyof typeof CALL_STATES =>
  step !== 'ended' ? step : called_ms === null ? 'uncalled' : 'called'

function outcomeOf({ status, transaction_uuid }: WithdrawalColumns): keyof typeof OUTCOMES {
  if (status === 'pending_authorization') return 'undecided'
  if (status === 'failed') return transaction_uuid === null ? 'failed' : 'failed_linked'
  if (status === 'succeeded' || status === 'unknown') return status
  return transaction_uuid === null ? 'open' : 'linked'
}

const columnsIn = (parts: readonly { readonly has: readonly string[]; readonly may: readonly string[] }[]) =>
  new Set(parts.flatMap(({ has, may }) => [...has, ...may]))
const STATE_COLUMNS = columnsIn([...Object.values(CALL_STATES), ...Object.values(OUTCOMES)])

/** The withdrawal with these columns: what its step and status need is filled in, what they do not allow is left out. */
export function completeWithdrawal(given: WithdrawalColumns): WithdrawalRow {
  const { id, step, status, created_ms, called_ms } = given
  const filled: WithdrawalColumns = {
    ...given,
    call_ended_ms: given.call_ended_ms ?? (step === 'ended' ? called_ms : null),
    next_check_ms: given.next_check_ms ?? created_ms,
    failure: given.failure ?? 'error_reply',
    transaction_uuid: given.transaction_uuid ?? (status === 'succeeded' ? `payout of ${id}` : null),
  }
  const allowed = columnsIn([CALL_STATES[callOf(filled)], OUTCOMES[outcomeOf(filled)]])
  const others = [...STATE_COLUMNS].filter((name) => !allowed.has(name)).map((name) => [name, null] as const)
  return parseWithdrawal({ ...filled, ...Object.fromEntries(others) })
}

const UNSENT: readonly WithdrawalColumns['step'][] = ['authorizing', 'pending']

/** A withdrawal that was called, unless its step, its status or `called_ms` says otherwise. */
export function sampleWithdrawal<const More extends Partial<WithdrawalColumns>>(
  more?: More,
): More extends { readonly step: infer Step } ? Extract<WithdrawalRow, { readonly step: Step }> : WithdrawalRow
export function sampleWithdrawal(more: Partial<WithdrawalColumns> = {}): WithdrawalRow {
  const { step, status } = { ...WITHDRAWAL, ...more }
  const isUnsent =
    UNSENT.includes(step) ||
    status === 'pending_authorization' ||
    (more.called_ms === null && step === 'ended' && status !== 'failed')
  const called = more.failure === 'declined' ? null : (more.created_ms ?? WITHDRAWAL.created_ms)
  return completeWithdrawal({
    ...WITHDRAWAL,
    called_ms: called,
    ...more,
    ...(isUnsent && { status: 'pending_authorization', called_ms: null }),
    ...(isUnsent && !UNSENT.includes(step) && { step: 'pending' }),
  })
}

export const samplePayout = (more: Partial<PayoutRow> = {}): PayoutRow => ({
  transaction_uuid: 'p1',
  user_reference_id: 'u',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: decimal('1.50'),
  inexact: 0,
  to_address: 'TAddress',
  status: 'succeeded',
  inserted_ms: 1000,
  inserted_at: '1970-01-01T00:00:01Z',
  first_seen_ms: 1000,
  updated_ms: 1000,
  owner: null,
  withdrawal_id: null,
  note: null,
  awaits_list: 0,
  unbooked: 0,
  ...more,
})

export const sampleTransaction = (more: Partial<TransactionRow> = {}): TransactionRow => ({
  kind: 'deposit',
  transaction_uuid: 't1',
  user_reference_id: 'u',
  status: 'succeeded',
  amount: decimal('0.000000000000000001'),
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  to_address: 'TTo',
  from_address: 'TFrom',
  tx_hash: '0xAB',
  tx_hash_key: 'ab',
  amount_usd: null,
  payment_method: null,
  provider_transaction_id: 'p1',
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
  withdrawal_id: null,
  onramp_session_id: null,
  standing: 'confirmed',
  credited: decimal('0'),
  postings: 0,
  deposit_uuid: null,
  overdue_ms: null,
  vanished_ms: null,
  occurred_at: '2026-01-01T00:00:00Z',
  created_ms: 1000,
  updated_ms: 1000,
  ...more,
})

export const sampleFact = (more: Partial<Fact> = {}): Fact => ({
  kind: 'deposit',
  transaction_uuid: 't1',
  status: 'processing',
  source: 'webhook',
  user_reference_id: 'u',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: decimal('1'),
  amount_usd: null,
  to_address: null,
  from_address: null,
  tx_hash: null,
  payment_method: null,
  provider_transaction_id: null,
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
  occurred_at: '2026-01-01T00:00:00Z',
  ...more,
})

export const sampleQuarantined = (
  more: Partial<Omit<QuarantineLine, 'received_ms'>> = {},
): Omit<QuarantineLine, 'received_ms'> => ({
  reason: 'stale',
  event_name: null,
  user_reference_id: 'u',
  transaction_uuid: null,
  event: '{}',
  ...more,
})

export const sampleProposal = (more: Partial<NewProposal> = {}): NewProposal => ({
  id: 'p1',
  kind: 'not_sent',
  subject: 'w1',
  user_reference_id: 'u',
  content: '{}',
  subject_state: '',
  reason: 'The gateway says so.',
  proposed_id: 'o1',
  proposed_name: 'Ada',
  proposed_ms: 1000,
  expires_ms: 2000,
  ...more,
})

export const sampleOnramp = (more: Partial<OnrampRow> = {}): OnrampRow => ({
  id: 'o1',
  user_reference_id: 'u',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: decimal('50'),
  fiat_currency: 'EUR',
  country: 'DE',
  correlation_key: 'k1',
  link: 'https://buy.example/1',
  expires_at: null,
  status: 'pending',
  transaction_uuid: null,
  settled_uuid: null,
  metadata: '{"order":"A-1"}',
  wallet_address: null,
  created_ms: 1000,
  updated_ms: 1000,
  ...more,
})

/** A scan of the whole list that has read one page of 20. */
export const sampleListScan = (more: Partial<ListScan> = {}): ListScan => ({
  user_reference_id: 'u',
  purpose: 'compare',
  began_ms: 1000,
  clock_offset_ms: 0,
  began_database_ms: null,
  since_ms: null,
  phase: 'down',
  cursor: 'a',
  rows_seen: 20,
  fewest_total: 50,
  last_total: 50,
  fell: 0,
  has_foreign: 0,
  wanted: 0,
  passes: 0,
  updated_ms: 1000,
  ...more,
})

export const sampleCall = (more: Partial<WithdrawalCallRow> = {}): WithdrawalCallRow => ({
  user_reference_id: 'u',
  withdrawal_id: 'w1',
  purpose: 'withdraw',
  started_ms: 1000,
  ended_ms: 1250,
  status: 200,
  fault: null,
  request: '{}',
  reply: '{}',
  ...more,
})

export const sampleRecord = (more: Partial<RecordRow> = {}): RecordRow => ({
  user_reference_id: 'u',
  transaction_uuid: 't1',
  type: 'Deposit',
  status: 'TXN_NEW',
  inserted_ms: 1000,
  inserted_at: '2026-01-01T00:00:00Z',
  cursor: 'a',
  record: '{}',
  seen_ms: 1000,
  ...more,
})
