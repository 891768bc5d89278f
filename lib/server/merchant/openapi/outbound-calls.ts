/** The cashier's calls to the merchant, for docs/openapi.json. */
import type * as z from 'zod/mini'
import {
  authorizationReply,
  authorizationRequest,
  testEvent,
  transactionUpdated,
} from '#lib/contract/merchant-replies.ts'
import {
  ADDRESS_EXAMPLE,
  CURRENCY_EXAMPLE,
  CURSOR_EXAMPLE,
  TRANSACTIONS,
  USER_EXAMPLE,
  WITHDRAWAL_ID_EXAMPLE,
} from './examples.ts'

export interface OutboundCall {
  /** Its `operationId`. */
  readonly id: string
  /** Its key in `webhooks`. */
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly schema: z.core.$ZodType
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  /** The merchant's answer. Without a schema any 2xx is enough. */
  readonly answer: { readonly description: string; readonly schema?: z.core.$ZodType; readonly example?: unknown }
}

const timestamp = '2026-11-21T12:01:07.120Z'
const received = { description: 'Any 2xx within 10 s.' }

const transactionExamples = Object.fromEntries(
  TRANSACTIONS.map(([summary, data]) => [
    `${data.kind}_${data.status}`,
    { summary, value: { type: 'transaction.updated', timestamp, cursor: CURSOR_EXAMPLE, data } },
  ]),
)

export const OUTBOUND_CALLS: readonly OutboundCall[] = [
  {
    id: 'receiveTransactionUpdated',
    name: 'transaction.updated',
    summary: 'A transaction changed',
    description:
      '`POST MERCHANT_WEBHOOK_URL`, at least once, in order within a transaction. `webhook-id` is the same for every attempt of one change. A failed event is sent again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, then every 8 h. 72 hours after the first attempt it is no longer tried, and the next event of its transaction is sent.',
    schema: transactionUpdated,
    examples: transactionExamples,
    answer: received,
  },
  {
    id: 'receiveTestEvent',
    name: 'test',
    summary: 'A test event',
    description: '`POST MERCHANT_WEBHOOK_URL` once, after `POST /api/merchant/test-event`.',
    schema: testEvent,
    examples: { test: { summary: 'A test event', value: { type: 'test', timestamp, data: {} } } },
    answer: {
      description: 'Any 2xx within 10 s. It is not sent again: `POST /api/merchant/test-event` reports the answer.',
    },
  },
  {
    id: 'authorizeWithdrawal',
    name: 'authorization',
    summary: 'May this be withdrawn?',
    description:
      '`POST MERCHANT_AUTHORIZE_URL` before each withdrawal, if you keep the ledger. `webhook-id` is the withdrawal’s id. Anything except a 200 with a decision within 5 s is a decline: another status or shape, an unknown field, over 64 KiB. `npm run doctor` asks too: its `withdrawal_id` begins with `test_`, its `amount` is `0`.',
    schema: authorizationRequest,
    examples: {
      authorization: {
        summary: 'May this be withdrawn?',
        value: {
          withdrawal_id: WITHDRAWAL_ID_EXAMPLE,
          user_reference_id: USER_EXAMPLE,
          amount: '25',
          currency: { id: CURRENCY_EXAMPLE, currency_code: 'USDT', network: 'Tron' },
          wallet_address: ADDRESS_EXAMPLE,
        },
      },
    },
    answer: {
      description: 'The decision.',
      schema: authorizationReply,
      example: { decision: 'decline', user_message: 'Please verify your e-mail address first.' },
    },
  },
]
