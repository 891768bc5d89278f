/** The calls of the merchant API for operators: quarantine, deliveries and the connection. */
import * as replies from '#lib/contract/merchant-replies.ts'
import { testEventReply } from '#lib/contract/operate/deliveries.ts'
import * as requests from '#lib/contract/merchant-requests.ts'
import type { DescribedCall } from './described-call.ts'
import { CURSOR_EXAMPLE, PAYOUT_EXAMPLE, TIME_EXAMPLE } from './examples.ts'

const QUARANTINE_EXAMPLE = {
  id: '17',
  reason: 'stale',
  received_at: TIME_EXAMPLE,
  event: { event: 'User Deposit', transaction_uuid: PAYOUT_EXAMPLE },
  settled_at: null,
  settled_by: null,
  note: null,
}

export const OPERATOR_CALLS: readonly DescribedCall[] = [
  {
    id: 'listQuarantine',
    tag: 'Operation',
    method: 'get',
    path: '/quarantine',
    scope: 'read',
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
    tag: 'Operation',
    method: 'post',
    path: '/quarantine/{id}/resolution',
    scope: 'decide',
    summary: 'Settle an event in quarantine',
    description:
      '`apply` is for `stale`, `unknown_event`, `unknown_status`, `unknown_user`, `unknown_currency`, and for `implausible`, which is applied although it is; 409 for the other reasons, and for a settled event. After `dismiss`, a repeated event is judged anew. Dismissing `unmatched_payout` acknowledges its payout, and needs `payouts` and a `note`.',
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
          item: {
            ...QUARANTINE_EXAMPLE,
            settled_at: TIME_EXAMPLE,
            settled_by: 'merchant',
            note: 'Sent late by the gateway.',
          },
        },
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict'],
  },
  {
    id: 'redeliver',
    tag: 'Operation',
    method: 'post',
    path: '/redeliveries',
    scope: 'decide',
    summary: 'Send events to your webhook again',
    description:
      'Under the same `webhook-id`: the events of these cursors, all that are no longer tried, or all since a time.',
    body: { name: 'RedeliveryRequest', schema: requests.redeliveryRequest, example: { cursors: [CURSOR_EXAMPLE] } },
    replies: [
      { status: 202, description: 'How many will be sent.', schema: replies.redeliveryReply, example: { queued: 1 } },
    ],
    problems: ['invalid_request', 'cursor_lost', 'not_available'],
  },
  {
    id: 'createDeliveryView',
    tag: 'Operation',
    method: 'post',
    path: '/delivery-views',
    scope: 'decide',
    summary: 'Show deliveries in your own admin',
    description:
      'Frame `view_url` in a page of `EMBED_ORIGINS`: whoever opens it first sees deliveries, and sends them again, for an hour.',
    replies: [
      {
        status: 201,
        description: 'The view.',
        schema: replies.deliveryViewReply,
        example: {
          view_url: 'https://cashier.example.com/delivery-view#token=Zk3XJ0a9.pQ7rT2',
          token: 'Zk3XJ0a9.pQ7rT2',
          expires_at: '2026-11-21T12:05:00.000Z',
        },
      },
    ],
    problems: [],
  },
  {
    id: 'sendTestEvent',
    tag: 'Operation',
    method: 'post',
    path: '/test-event',
    scope: 'decide',
    summary: 'Send a test event to your webhook',
    description: 'One attempt, signed like every event. The reply has your endpoint’s answer within 10 s.',
    replies: [
      {
        status: 202,
        description: "Your endpoint's answer.",
        schema: testEventReply,
        example: { status: 204, milliseconds: 38, error: null },
      },
    ],
    problems: ['not_available'],
  },
  {
    id: 'readConnection',
    tag: 'Operation',
    method: 'get',
    path: '/connection',
    scope: 'read',
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
