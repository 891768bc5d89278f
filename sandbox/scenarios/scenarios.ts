/** The steps to each state of docs/guides/test.md, "States". A test compares this list with the document. */

/** A control call. `USER` in the body is the user. `:uuid` and `:session` in the path come from earlier steps. */
export interface ScenarioCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below `/control`. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** A step that only the user or the tester can do. The name tells how the sandbox detects it. */
export type PersonStep = 'withdraw' | 'buy' | 'press'

export type Step =
  | { readonly kind: 'call'; readonly call: ScenarioCall }
  | { readonly kind: 'person'; readonly step: PersonStep; readonly ask: string }
  /** Waits until the cashier has read the user's list twice. */
  | { readonly kind: 'listed' }
  /** Sends the newest event of the transaction again, changed and signed anew. */
  | { readonly kind: 'changed'; readonly from: RegExp; readonly to: string }

export interface Scenario {
  /** As in the document. */
  readonly name: string
  readonly group: string
  readonly steps: readonly Step[]
  /** What the tester sees at the end. */
  readonly see: string
  /** Calls that undo lasting effects. */
  readonly ends: readonly ScenarioCall[]
  /** Runs for a new user without a session, instead of the chosen user. */
  readonly stranger?: boolean
}

const call = (method: ScenarioCall['method'], path: string, body?: ScenarioCall['body']): Step => ({
  kind: 'call',
  call: { method, path, ...(body && { body }) },
})
const fault = (target: string, kind: string, more: Readonly<Record<string, unknown>> = {}): Step =>
  call('POST', '/faults', { target, kind, ...more })
const ofUser = { match: { user_reference: 'USER' } }
const onSuccess = { match: { user_reference: 'USER', status: 'succeeded' } }
const modes = (body: ScenarioCall['body']): ScenarioCall => ({ method: 'PATCH', path: '/modes', ...(body && { body }) })

const USDT = { user_reference: 'USER', currency: 'USDT', network: 'Tron', amount: '1' }
const deposit = call('POST', '/deposits', { ...USDT, confirm: true })
const changed = (from: RegExp, to: string): Step => ({ kind: 'changed', from, to })
const twice = changed(/"amount":1,/, '"amount":2,')

const withdraw: Step = { kind: 'person', step: 'withdraw', ask: 'Withdraw in the cashier.' }
const buy: Step = { kind: 'person', step: 'buy', ask: 'Start a purchase in the cashier.' }
const press = (ask: string): Step => ({ kind: 'person', step: 'press', ask })

const noFaults: ScenarioCall = { method: 'DELETE', path: '/faults' }

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'detected deposit',
    group: 'As usual',
    steps: [call('POST', '/deposits', USDT)],
    see: 'processing',
    ends: [],
  },
  {
    name: 'credited deposit',
    group: 'As usual',
    steps: [deposit],
    see: 'succeeded, and 1 USDT more',
    ends: [],
  },
  {
    name: 'payout that awaits approval',
    group: 'As usual',
    steps: [fault('withdraw', 'needs_approval', ofUser), withdraw],
    see: 'awaiting_approval',
    ends: [],
  },
  {
    name: 'succeeded payout',
    group: 'As usual',
    steps: [withdraw, call('POST', '/withdrawals/:uuid/complete')],
    see: 'processing, then succeeded',
    ends: [],
  },
  {
    name: 'paid purchase',
    group: 'As usual',
    steps: [buy, call('POST', '/onramp-sessions/:session/processing')],
    see: 'processing, nothing credited yet',
    ends: [],
  },
  {
    name: 'delivered purchase',
    group: 'As usual',
    steps: [buy, call('POST', '/onramp-sessions/:session/succeeded')],
    see: 'succeeded; credited once, with its deposit',
    ends: [],
  },
  {
    name: 'withdrawal uncertain, later paid',
    group: 'Withdrawals',
    steps: [
      fault('withdraw', 'cut_after_commit', ofUser),
      withdraw,
      { kind: 'listed' },
      call('POST', '/withdrawals/:uuid/complete'),
    ],
    see: 'unknown, seconds later processing by the list, succeeded',
    ends: [],
  },
  {
    name: 'withdrawal uncertain, proved absent',
    group: 'Withdrawals',
    steps: [fault('withdraw', 'cut_before_commit', ofUser), withdraw],
    see: 'unknown; failed after WITHDRAWAL_ABSENCE_S and two readings of the list',
    ends: [],
  },
  {
    name: 'payout failed',
    group: 'Withdrawals',
    steps: [withdraw, call('POST', '/withdrawals/:uuid/fail', { reason: 'declined' })],
    see: 'failed, within a minute by the list: there is no event',
    ends: [],
  },
  {
    name: 'late payout',
    group: 'Withdrawals',
    steps: [
      fault('withdraw', 'cut_after_commit', ofUser),
      fault('user_transactions', 'lag', { times: 'always', ...ofUser, settings: { lag_ms: 3_600_000 } }),
      withdraw,
      press(
        'Wait until the cashier says that the withdrawal failed (after WITHDRAWAL_ABSENCE_S), then press Continue.',
      ),
      call('POST', '/withdrawals/:uuid/complete'),
    ],
    see: 'succeeded after failed; quarantine late_payout',
    ends: [noFaults],
  },
  {
    name: 'withdrawal that a person must settle',
    group: 'Withdrawals',
    steps: [
      call('POST', '/transactions/seed', {
        user_reference: 'USER',
        count: 1,
        type: 'Payout',
        currency: 'USDT',
        network: 'Tron',
        amount: '4.9',
      }),
      fault('withdraw', 'cut_before_commit', ofUser),
      {
        kind: 'person',
        step: 'withdraw',
        ask: 'Withdraw 5 USDT on Tron in the cashier, such as to TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE.',
      },
    ],
    see: 'unknown with attention; quarantine unmatched_payout',
    ends: [],
  },
  {
    name: "another merchant's event",
    group: 'Events',
    steps: [deposit, changed(/"merchant_reference":"[^"]+"/, '"merchant_reference":"other"')],
    see: 'quarantine other_merchant, where GATEWAY_MERCHANT_REFERENCE is set',
    ends: [],
  },
  {
    name: 'stale webhook',
    group: 'Webhooks',
    steps: [fault('webhooks', 'stale_timestamp', onSuccess), deposit],
    see: 'quarantine stale; credited by the list',
    ends: [],
  },
  {
    name: 'lost webhook',
    group: 'Webhooks',
    steps: [fault('webhooks', 'drop', onSuccess), deposit],
    see: 'processing; credited within a minute by the list',
    ends: [],
  },
  {
    name: 'repeated webhook',
    group: 'Webhooks',
    steps: [fault('webhooks', 'duplicate', { ...onSuccess, settings: { copies: 3 } }), deposit],
    see: 'credited once',
    ends: [],
  },
  {
    name: 'webhooks in the wrong order',
    group: 'Webhooks',
    steps: [fault('webhooks', 'reorder', { match: { user_reference: 'USER', status: 'processing' } }), deposit],
    see: 'credited, and processing changes nothing after it',
    ends: [],
  },
  {
    name: 'badly signed webhook',
    group: 'Webhooks',
    steps: [fault('webhooks', 'wrong_signature', onSuccess), deposit],
    see: '401 in the delivery log; credited within a minute by the list',
    ends: [],
  },
  {
    name: 'unknown user',
    group: 'Events',
    steps: [deposit],
    see: 'quarantine unknown_user; credited with the first session',
    ends: [],
    stranger: true,
  },
  {
    name: 'unknown event',
    group: 'Events',
    steps: [deposit, changed(/"User Deposit"/, '"User Refund"')],
    see: 'quarantine unknown_event',
    ends: [],
  },
  {
    name: 'unknown status',
    group: 'Events',
    steps: [
      { kind: 'call', call: modes({ failure_webhooks: true }) },
      call('POST', '/deposits', USDT),
      call('POST', '/deposits/:uuid/fail'),
    ],
    see: 'quarantine unknown_status',
    ends: [modes({ failure_webhooks: false })],
  },
  {
    name: 'statuses in other words',
    group: 'Events',
    steps: [
      { kind: 'call', call: modes({ status_words: 'others' }) },
      fault('webhooks', 'drop', { times: 2, ...ofUser }),
      call('POST', '/deposits', USDT),
      press('Look at the history in the cashier, then press Continue.'),
      call('POST', '/deposits/:uuid/confirm'),
    ],
    see: 'other; credited within a minute with GATEWAY_STATUS_WORDS={"TXN_COMPLETED":"succeeded"}',
    ends: [modes({ status_words: 'usual' })],
  },
  {
    name: 'unknown currency',
    group: 'Events',
    steps: [
      buy,
      fault('webhooks', 'drop', { match: { user_reference: 'USER', event: 'User Onramp', status: 'succeeded' } }),
      call('POST', '/onramp-sessions/:session/succeeded'),
      changed(/("to_currency":\{"code":)"\w+"/, '$1"XYZ"'),
    ],
    see: 'quarantine unknown_currency',
    ends: [],
  },
  {
    name: 'implausible purchase',
    group: 'Events',
    steps: [buy, call('POST', '/onramp-sessions/:session/succeeded', { from_amount: '100000' })],
    see: 'quarantine implausible; its deposit is credited',
    ends: [],
  },
  {
    name: 'webhook and list disagree',
    group: 'Events',
    steps: [
      fault('webhooks', 'drop', { times: 2, ...ofUser }),
      deposit,
      twice,
      press('Open the history in the cashier.'),
    ],
    see: 'quarantine list_conflict; nothing more is booked for it',
    ends: [],
  },
  {
    name: 'two webhooks disagree',
    group: 'Events',
    steps: [deposit, twice],
    see: 'quarantine conflict; the first stays',
    ends: [],
  },
  {
    name: 'expired purchase',
    group: 'Purchases',
    steps: [
      { kind: 'call', call: modes({ onramp_expires_after_ms: 2000 }) },
      { kind: 'person', step: 'buy', ask: 'Start a purchase in the cashier, and wait two seconds.' },
    ],
    see: "expires_at; the provider's page takes no payment",
    ends: [modes({ onramp_expires_after_ms: null })],
  },
  {
    name: 'failed purchase',
    group: 'Purchases',
    steps: [buy, call('POST', '/onramp-sessions/:session/failed')],
    see: 'failed, nothing credited',
    ends: [],
  },
  {
    name: 'unsafe link',
    group: 'Purchases',
    steps: [{ kind: 'call', call: modes({ widget_link: 'elsewhere' }) }, buy],
    see: '502 unsafe_link, where ONRAMP_ORIGINS does not allow https://pay.example',
    ends: [modes({ widget_link: 'usual' })],
  },
  {
    name: 'gateway away',
    group: 'The gateway',
    steps: [fault('*', 'cut_before_commit', { times: 'always' })],
    see: '503 gateway_unavailable; withdrawals become unknown',
    ends: [noFaults],
  },
  {
    name: 'gateway whose clock is wrong',
    group: 'The gateway',
    steps: [call('POST', '/clock', { offset_ms: 7_200_000 })],
    see: 'webhooks are stale; what they tell comes from the list',
    ends: [{ method: 'POST', path: '/clock', body: { offset_ms: 0 } }],
  },
]
