/** Each call of the merchant API, for docs/openapi.json. The routes parse with the same schemas. */
import type * as z from 'zod/mini'
import * as replies from '#lib/contract/merchant-replies.ts'
import * as requests from '#lib/contract/merchant-requests.ts'
import type { ProblemCode } from '#lib/contract/problems.ts'
import {
  ADDRESS_EXAMPLE,
  CURRENCY_EXAMPLE,
  CURSOR_EXAMPLE,
  HASH_EXAMPLE,
  PAYOUT_EXAMPLE,
  TRANSACTIONS,
  USER_EXAMPLE,
  WITHDRAWAL_ID_EXAMPLE,
} from './examples.ts'

export interface Reply {
  readonly status: number
  readonly description: string
  /** Absent for a reply without a body. */
  readonly schema?: z.core.$ZodType
  readonly example?: unknown
  /** An example of a reply that is a CSV file. */
  readonly csv?: string
}

export interface DescribedCall {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below `/api/merchant`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly query?: z.core.$ZodType
  readonly body?: { readonly name: string; readonly schema: z.core.$ZodType; readonly example: unknown }
  readonly replies: readonly Reply[]
  /** In addition to the problems of every call. */
  readonly problems: readonly ProblemCode[]
}

const at = '2026-11-21T12:00:00.000Z'

const WITHDRAWAL_EXAMPLE = {
  id: WITHDRAWAL_ID_EXAMPLE,
  status: 'processing',
  amount: '25',
  currency: 'USDT',
  network: 'Tron',
  wallet_address: ADDRESS_EXAMPLE,
  requires_approval: false,
  transaction_uuid: PAYOUT_EXAMPLE,
  failure_reason: null,
  user_message: null,
}
const PAYOUT = {
  transaction_uuid: PAYOUT_EXAMPLE,
  user_reference_id: USER_EXAMPLE,
  currency_id: CURRENCY_EXAMPLE,
  currency_code: 'USDT',
  network: 'Tron',
  amount: '24.5',
  to_address: ADDRESS_EXAMPLE,
  status: 'succeeded',
  inserted_at: '2026-11-21T12:01:07Z',
  first_seen_at: at,
  owner: 'acknowledged',
  withdrawal_id: null,
  note: 'Paid by hand in the operator’s console.',
}
const MERCHANT_WITHDRAWAL_EXAMPLE = {
  ...WITHDRAWAL_EXAMPLE,
  user_reference_id: USER_EXAMPLE,
  created_at: at,
  updated_at: '2026-11-21T12:00:01.240Z',
  attention: null,
  paid_amount: null,
  resolution: null,
}
const QUARANTINE_EXAMPLE = {
  id: '17',
  reason: 'stale',
  received_at: at,
  event: { event: 'User Deposit', transaction_uuid: PAYOUT_EXAMPLE },
  settled_at: null,
  settled_by: null,
  note: null,
}

const STATEMENT_EXAMPLE = `"line","booked_at","user_reference_id","currency_id","currency_code","network","account","reason","amount","balance","amount_usd","transaction_uuid","withdrawal_id","reference","id"
"entry","${at}","${USER_EXAMPLE}","${CURRENCY_EXAMPLE}","USDT","Tron","available","deposit","25","25","24.99","${PAYOUT_EXAMPLE}","","","2"
`

export const MERCHANT_CALLS: readonly DescribedCall[] = [
  {
    id: 'createSession',
    method: 'post',
    path: '/sessions',
    summary: 'Start a session',
    description:
      'For a user whom you have signed in; the first session makes the user known to the cashier. `launch_token` goes to your page: it works once, within 5 minutes. An unknown field is an error; null counts as left out.',
    body: {
      name: 'CreateSessionRequest',
      schema: requests.createSessionRequest([]),
      example: { user_reference_id: USER_EXAMPLE, flows: ['deposit', 'withdraw'], locale: 'de', country: 'DE' },
    },
    replies: [
      {
        status: 201,
        description: 'The session, and its launch token.',
        schema: replies.createdSessionReply,
        example: {
          session_id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
          launch_token: 'Zk3XJ0a9.pQ7rT2',
          launch_url: 'https://cashier.example.com/launch?token=Zk3XJ0a9.pQ7rT2',
          expires_at: '2026-11-21T12:05:00.000Z',
        },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'endSession',
    method: 'delete',
    path: '/sessions/{session_id}',
    summary: 'End a session',
    description:
      'Call it when your user signs out. The session and its streams end at once, on all instances. A second call is 204 too.',
    replies: [{ status: 204, description: 'The session has ended.' }],
    problems: ['not_found'],
  },
  {
    id: 'listEvents',
    method: 'get',
    path: '/events',
    summary: 'Read the events feed',
    description:
      'Every change of every transaction, oldest first, in commit order; none is skipped. Begin without `after`, then send `next_cursor` as `after`. 410 `cursor_lost`: the cursor comes from another database or from before a restore. Begin again without `after`, and skip the events that you have, by `transaction_uuid` (or `withdrawal_id`) and `status`.',
    query: requests.feedQuery,
    replies: [
      {
        status: 200,
        description: 'The events after the cursor.',
        schema: replies.feedReply,
        example: {
          events: [{ cursor: CURSOR_EXAMPLE, type: 'transaction.updated', created_at: at, data: TRANSACTIONS[1]?.[1] }],
          next_cursor: CURSOR_EXAMPLE,
        },
      },
    ],
    problems: ['invalid_request', 'cursor_lost'],
  },
  {
    id: 'listBalances',
    method: 'get',
    path: '/users/{user_reference_id}/balances',
    summary: "Read a user's balances",
    description: 'Empty for an unknown user, and if `MERCHANT_AUTHORIZE_URL` is set: you then keep the ledger.',
    replies: [
      {
        status: 200,
        description: 'One for each currency.',
        schema: replies.balancesReply,
        example: {
          balances: [
            { currency_id: CURRENCY_EXAMPLE, currency_code: 'USDT', network: 'Tron', available: '120.5', held: '25' },
          ],
        },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'listEntries',
    method: 'get',
    path: '/users/{user_reference_id}/entries',
    summary: "Read a user's ledger entries",
    description: "The bookings on the user's `available` and `held`, newest first, without the counter-accounts.",
    query: requests.feedQuery,
    replies: [
      {
        status: 200,
        description: 'A page of entries.',
        schema: replies.entriesReply,
        example: {
          entries: [
            {
              id: '8213',
              booked_at: at,
              currency_id: CURRENCY_EXAMPLE,
              currency_code: 'USDT',
              network: 'Tron',
              amount: '-25',
              account: 'available',
              reason: 'withdrawal',
              withdrawal_id: WITHDRAWAL_ID_EXAMPLE,
            },
          ],
          next_cursor: '8213',
        },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'statement',
    method: 'get',
    path: '/statement.csv',
    summary: 'Save a statement',
    description:
      'The ledger of a period, of one user or of all, as CSV of any length. `opening` and `closing` lines are the balances before and after it by currency and account, `entry` lines the entries, each with the `balance` after it. `amount_usd` is the value that the gateway told, where the entry moves the whole amount.',
    query: requests.statementQuery,
    replies: [
      {
        status: 200,
        description: 'The file; its first line names the columns.',
        csv: STATEMENT_EXAMPLE,
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'adjustBalance',
    method: 'post',
    path: '/users/{user_reference_id}/adjustments',
    summary: "Change a user's balance",
    description:
      'For your own reasons: a purchase, a win, a refund. Booked once for each `reference` of a user, so the same request may be sent again; with another currency or amount it is 422. The user needs no session. Adjustments are not in the events feed. An unknown field is an error.',
    body: {
      name: 'AdjustmentRequest',
      schema: requests.adjustmentRequest,
      example: { currency_id: CURRENCY_EXAMPLE, amount: '-12.5', reference: 'order-2231' },
    },
    replies: [
      { status: 201, description: 'Booked.' },
      { status: 200, description: 'It was booked before: the first answer again.' },
    ].map((reply) => ({
      ...reply,
      schema: replies.adjustmentReply,
      example: {
        user_reference_id: USER_EXAMPLE,
        currency_id: CURRENCY_EXAMPLE,
        amount: '-12.5',
        reference: 'order-2231',
        available: '87.5',
        held: '0',
        created_at: at,
      },
    })),
    problems: ['invalid_request', 'not_found', 'insufficient_balance', 'not_available'],
  },
  {
    id: 'tellRates',
    method: 'put',
    path: '/rates',
    summary: 'Tell what currencies are worth',
    description:
      'The page shows values in US dollars with the gateway’s own rates of the last 24 hours; yours win, for 24 hours. They replace all that you told before; an empty object takes them back.',
    body: { name: 'RatesRequest', schema: requests.ratesRequest, example: { rates: { [CURRENCY_EXAMPLE]: '1.0002' } } },
    replies: [
      {
        status: 200,
        description: 'The rates from now on.',
        schema: replies.ratesReply,
        example: { rates: { [CURRENCY_EXAMPLE]: '1.0002' }, told_at: at },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'listWithdrawals',
    method: 'get',
    path: '/withdrawals',
    summary: 'List withdrawals',
    description: 'Newest first. `status=unknown` lists withdrawals without a certain outcome.',
    query: requests.withdrawalsQuery,
    replies: [
      {
        status: 200,
        description: 'A page of withdrawals.',
        schema: replies.withdrawalsReply,
        example: { withdrawals: [MERCHANT_WITHDRAWAL_EXAMPLE], next_cursor: `1795262400000-${WITHDRAWAL_ID_EXAMPLE}` },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'findWithdrawal',
    method: 'get',
    path: '/withdrawals/{withdrawal_id}',
    summary: 'Read a withdrawal',
    replies: [
      {
        status: 200,
        description: 'The withdrawal.',
        schema: replies.merchantWithdrawal,
        example: MERCHANT_WITHDRAWAL_EXAMPLE,
      },
    ],
    problems: ['invalid_request', 'not_found'],
  },
  {
    id: 'decideWithdrawal',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/authorization',
    summary: 'Decide a postponed withdrawal',
    description:
      'The call sends an approved withdrawal to the gateway. 409 `conflict` with `withdrawal_status` if it no longer waits, also for a repeated decision. 409 `outcome_unknown` for an approval while the same withdrawal is `unknown`: it stays postponed. A decision that comes before your answer `postpone` is kept until that answer; so answer too, since no answer is a decline.',
    body: {
      name: 'WithdrawalDecisionRequest',
      schema: requests.withdrawalDecisionRequest,
      example: { decision: 'approve' },
    },
    replies: [
      {
        status: 200,
        description: 'The withdrawal.',
        schema: replies.withdrawalReply,
        example: WITHDRAWAL_EXAMPLE,
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict', 'outcome_unknown'],
  },
  {
    id: 'resolveWithdrawal',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/resolution',
    summary: 'Settle an unknown withdrawal by hand',
    description:
      'For a withdrawal that is `unknown` or has `attention`, after you asked the operator of the gateway. `sent`: it follows the payout of `transaction_uuid`; 422 unless the user’s list has that payout and no other withdrawal has it. `not_sent`: it becomes `failed` and its hold is released; 409 with `unowned` while payouts of that user belong to nothing. What the gateway reports later still counts.',
    body: {
      name: 'WithdrawalResolutionRequest',
      schema: requests.withdrawalResolutionRequest,
      example: { outcome: 'sent', transaction_uuid: PAYOUT_EXAMPLE, note: 'The gateway took its fee off the amount.' },
    },
    replies: [
      {
        status: 200,
        description: 'The withdrawal.',
        schema: replies.merchantWithdrawal,
        example: {
          ...MERCHANT_WITHDRAWAL_EXAMPLE,
          status: 'succeeded',
          paid_amount: '24.5',
          resolution: {
            outcome: 'sent',
            transaction_uuid: PAYOUT_EXAMPLE,
            note: 'The gateway took its fee off the amount.',
            resolved_at: '2026-11-21T12:00:01.240Z',
          },
        },
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict', 'gateway_unavailable', 'gateway_misconfigured'],
  },
  {
    id: 'listPayouts',
    method: 'get',
    path: '/payouts',
    summary: 'List payouts',
    description:
      'Every payout that the gateway has shown, newest first, and whose it is: docs/explanation/money.md, "Every payout has an owner". `owner=none` lists the payouts that wait for a person.',
    query: requests.payoutsQuery,
    replies: [
      {
        status: 200,
        description: 'A page of payouts.',
        schema: replies.payoutsReply,
        example: { payouts: [PAYOUT], next_cursor: `1795262400000-${PAYOUT_EXAMPLE}` },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'setPayoutOwner',
    method: 'post',
    path: '/payouts/{transaction_uuid}/owner',
    summary: 'Say whose a payout is',
    description:
      'For a payout that nobody owns. A withdrawal of the same user then follows it; an acknowledged payout belongs to none. 409 if it has an owner, or the withdrawal has a payout that did not fail or was never sent. An unknown field is an error.',
    body: {
      name: 'PayoutOwnerRequest',
      schema: requests.payoutOwnerRequest,
      example: { acknowledged: true, note: 'Paid by hand in the operator’s console.' },
    },
    replies: [
      {
        status: 200,
        description: 'The payout.',
        schema: replies.merchantPayout,
        example: PAYOUT,
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict'],
  },
  {
    id: 'listTransactions',
    method: 'get',
    path: '/transactions',
    summary: "Read the gateway's list",
    description:
      'Across all users, or of one. The withdrawals list and the feed have the withdrawals and purchases that this list lacks.',
    query: requests.merchantTransactionsQuery,
    replies: [
      {
        status: 200,
        description: 'A page of the list.',
        schema: replies.merchantTransactionsReply,
        example: {
          edges: [
            {
              cursor: 'g2wAAAAB',
              inserted_at: '2026-11-21T12:01:07Z',
              node: {
                transaction_uuid: PAYOUT_EXAMPLE,
                type: 'Deposit',
                status: 'TXN_PROVIDER_SUCCEEDED',
                merchant_status: null,
                amount: '120.5',
                amount_usd: '120.5',
                currency: { id: CURRENCY_EXAMPLE, code: 'USDT', name: 'Tether', symbol: '₮', network: 'Tron' },
                correlation_key: null,
                from_address: null,
                to_address: ADDRESS_EXAMPLE,
                tx_hash: HASH_EXAMPLE,
                failure_reason: null,
                user_ref_id: USER_EXAMPLE,
                inserted_at: '2026-11-21T12:01:07Z',
                updated_at: '2026-11-21T12:01:09Z',
                completed_at: '2026-11-21T12:01:09Z',
                cashier_status: 'succeeded',
                user_reference_id: USER_EXAMPLE,
                merchant_reference: 'm-204',
              },
            },
          ],
          page_info: {
            start_cursor: 'g2wAAAAB',
            end_cursor: 'g2wAAAAB',
            has_next_page: false,
            has_previous_page: false,
          },
          total_count: 1,
        },
      },
    ],
    problems: ['invalid_request', 'gateway_unavailable', 'gateway_misconfigured'],
  },
  {
    id: 'listQuarantine',
    method: 'get',
    path: '/quarantine',
    summary: 'List what was stored and not applied',
    description:
      'Signed events in quarantine, oldest first. A settled event is deleted after `KEEP_WEBHOOKS_DAYS`; an open event stays.',
    query: requests.quarantineQuery,
    replies: [
      {
        status: 200,
        description: 'A page of events.',
        schema: replies.quarantineReply,
        example: { items: [QUARANTINE_EXAMPLE], next_cursor: '17' },
      },
    ],
    problems: ['invalid_request'],
  },
  {
    id: 'resolveQuarantine',
    method: 'post',
    path: '/quarantine/{id}/resolution',
    summary: 'Settle an event in quarantine',
    description:
      '`apply` is for `stale`, `unknown_event`, `unknown_status`, `unknown_user`, `unknown_currency`, and for `implausible`, which is applied although it is; 409 for the other reasons, and for a settled event. After `dismiss`, a repeated event is judged anew. Dismissing `unmatched_payout` acknowledges its payout, and needs a `note`.',
    body: {
      name: 'QuarantineResolutionRequest',
      schema: requests.quarantineResolution,
      example: { action: 'apply', note: 'Sent late by the gateway.' },
    },
    replies: [
      {
        status: 200,
        description: 'The result.',
        schema: replies.quarantineResolutionReply,
        example: {
          outcome: 'applied',
          item: { ...QUARANTINE_EXAMPLE, settled_at: at, settled_by: 'merchant', note: 'Sent late by the gateway.' },
        },
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict'],
  },
  {
    id: 'redeliver',
    method: 'post',
    path: '/redeliveries',
    summary: 'Send events to your webhook again',
    description: 'Under the same `webhook-id`: the events of these cursors, or all that are no longer tried.',
    body: { name: 'RedeliveryRequest', schema: requests.redeliveryRequest, example: { cursors: [CURSOR_EXAMPLE] } },
    replies: [
      { status: 202, description: 'How many will be sent.', schema: replies.redeliveryReply, example: { queued: 1 } },
    ],
    problems: ['invalid_request', 'cursor_lost', 'not_available'],
  },
  {
    id: 'sendTestEvent',
    method: 'post',
    path: '/test-event',
    summary: 'Send a test event to your webhook',
    description: 'One attempt, signed like every event. The reply has your endpoint’s answer within 10 s.',
    replies: [
      {
        status: 202,
        description: "Your endpoint's answer.",
        schema: replies.testEventReply,
        example: { status: 204, milliseconds: 38, error: null },
      },
    ],
    problems: ['not_available'],
  },
  {
    id: 'readConnection',
    method: 'get',
    path: '/connection',
    summary: 'See how a call arrives',
    description: 'For operators: whether `TRUST_PROXY` fits the proxies in front of the cashier.',
    replies: [
      {
        status: 200,
        description: 'How this call arrived.',
        schema: replies.connectionReply,
        example: { client_address: '203.0.113.7', forwarded_entries: 1, trust_proxy: 1 },
      },
    ],
    problems: ['invalid_request'],
  },
]
