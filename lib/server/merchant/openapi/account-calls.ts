/** The calls of the merchant API about sessions, events and what users have. */
import * as replies from '#lib/contract/merchant-replies.ts'
import * as requests from '#lib/contract/merchant-requests.ts'
import { createSessionRequest } from '#lib/contract/session-requests.ts'
import type { DescribedCall } from './described-call.ts'
import {
  CURRENCY_EXAMPLE,
  CURSOR_EXAMPLE,
  PAYOUT_EXAMPLE,
  SESSION_EXAMPLE,
  TIME_EXAMPLE,
  TRANSACTIONS,
  USER_EXAMPLE,
  WITHDRAWAL_ID_EXAMPLE,
} from './examples.ts'

const STATEMENT_EXAMPLE = `"line","booked_at","user_reference_id","currency_id","currency_code","network","account","reason","amount","balance","amount_usd","transaction_uuid","withdrawal_id","reference","id"
"entry","${TIME_EXAMPLE}","${USER_EXAMPLE}","${CURRENCY_EXAMPLE}","USDT","Tron","available","deposit","25","25","24.99","${PAYOUT_EXAMPLE}","","","2"
`

export const ACCOUNT_CALLS: readonly DescribedCall[] = [
  {
    id: 'createSession',
    tag: 'Sessions',
    method: 'post',
    path: '/sessions',
    scope: 'sessions',
    summary: 'Start a session',
    description:
      'For a user whom you have signed in; the first session makes the user known to the cashier. `launch_token` goes to your page: it works once, within 5 minutes. An unknown field is an error; null counts as left out.',
    body: {
      name: 'CreateSessionRequest',
      schema: createSessionRequest([]),
      example: { user_reference_id: USER_EXAMPLE, flows: ['deposit', 'withdraw'], locale: 'de', country: 'DE' },
    },
    replies: [
      {
        status: 201,
        description: 'The session, and its launch token.',
        schema: replies.createdSessionReply,
        example: {
          session_id: SESSION_EXAMPLE,
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
    tag: 'Sessions',
    method: 'delete',
    path: '/sessions/{session_id}',
    scope: 'sessions',
    summary: 'End a session',
    description:
      'Call it when your user signs out. The session and its streams end at once, on all instances. A second call is 204 too.',
    replies: [{ status: 204, description: 'The session has ended.' }],
    problems: ['not_found'],
  },
  {
    id: 'listEvents',
    tag: 'Events',
    method: 'get',
    path: '/events',
    scope: 'read',
    summary: 'Read the events feed',
    description:
      'Every change of every transaction, oldest first, in commit order; none is skipped. Begin without `after`, then send `next_cursor` as `after`. 410 `cursor_lost`: the cursor comes from another database, or from before a restore or the oldest event kept. Begin again without `after`, and skip the events that you have, by `transaction_uuid` (or `withdrawal_id`) and `status`.',
    query: requests.feedQuery,
    replies: [
      {
        status: 200,
        description: 'The events after the cursor.',
        schema: replies.feedReply,
        example: {
          events: [
            {
              cursor: CURSOR_EXAMPLE,
              type: 'transaction.updated',
              created_at: TIME_EXAMPLE,
              data: TRANSACTIONS[1]?.[1],
            },
          ],
          next_cursor: CURSOR_EXAMPLE,
        },
      },
    ],
    problems: ['invalid_request', 'cursor_lost'],
  },
  {
    id: 'listBalances',
    tag: 'Ledger',
    method: 'get',
    path: '/users/{user_reference_id}/balances',
    scope: 'read',
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
    tag: 'Ledger',
    method: 'get',
    path: '/users/{user_reference_id}/entries',
    scope: 'read',
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
              booked_at: TIME_EXAMPLE,
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
    tag: 'Ledger',
    method: 'get',
    path: '/statement.csv',
    scope: 'read',
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
    tag: 'Ledger',
    method: 'post',
    path: '/users/{user_reference_id}/adjustments',
    scope: 'adjust',
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
        created_at: TIME_EXAMPLE,
      },
    })),
    problems: ['invalid_request', 'not_found', 'insufficient_balance', 'not_available'],
  },
  {
    id: 'tellRates',
    tag: 'Ledger',
    method: 'put',
    path: '/rates',
    scope: 'adjust',
    summary: 'Tell what currencies are worth',
    description:
      'The page shows values in US dollars with the gateway’s own rates of the last 24 hours; yours win, for 24 hours. They replace all that you told before; an empty object takes them back.',
    body: { name: 'RatesRequest', schema: requests.ratesRequest, example: { rates: { [CURRENCY_EXAMPLE]: '1.0002' } } },
    replies: [
      {
        status: 200,
        description: 'The rates from now on.',
        schema: replies.ratesReply,
        example: { rates: { [CURRENCY_EXAMPLE]: '1.0002' }, told_at: TIME_EXAMPLE },
      },
    ],
    problems: ['invalid_request'],
  },
]
