/** The calls of the merchant API about withdrawals, payouts and the gateway's list. */
import * as replies from '#lib/contract/merchant-replies.ts'
import { merchantTransactionsQuery } from '#lib/contract/merchant-requests.ts'
import * as requests from '#lib/contract/withdrawal-requests.ts'
import type { DescribedCall } from './described-call.ts'
import {
  ADDRESS_EXAMPLE,
  CURRENCY_EXAMPLE,
  HASH_EXAMPLE,
  PAYOUT_EXAMPLE,
  TIME_EXAMPLE,
  USER_EXAMPLE,
  WITHDRAWAL_ID_EXAMPLE,
} from './examples.ts'

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
  review: ['review_above'],
  wait_until: null,
  awaits_decision: false,
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
  first_seen_at: TIME_EXAMPLE,
  owner: 'acknowledged',
  withdrawal_id: null,
  note: 'Paid by hand in the operator’s console.',
}
const MERCHANT_WITHDRAWAL_EXAMPLE = {
  ...WITHDRAWAL_EXAMPLE,
  user_reference_id: USER_EXAMPLE,
  created_at: TIME_EXAMPLE,
  updated_at: '2026-11-21T12:00:01.240Z',
  attention: null,
  paid_amount: null,
  resolution: null,
}

export const TRANSFER_CALLS: readonly DescribedCall[] = [
  {
    id: 'listWithdrawals',
    tag: 'Withdrawals',
    method: 'get',
    path: '/withdrawals',
    scope: 'read',
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
    tag: 'Withdrawals',
    method: 'get',
    path: '/withdrawals/{withdrawal_id}',
    scope: 'read',
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
    tag: 'Withdrawals',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/authorization',
    scope: 'decide',
    summary: 'Decide a postponed withdrawal',
    description:
      'Or one that a rule of `WITHDRAWAL_RULES` caught. The call sends an approved withdrawal to the gateway, after `wait_until`. 409 `conflict` with `withdrawal_status` if it no longer waits, also for a repeated decision. 409 `outcome_unknown` for an approval while the same withdrawal is `unknown`, or nobody owns a payout with its details: it stays postponed. A decision that comes before your answer `postpone` is kept until that answer; so answer too, since no answer is a decline.',
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
    tag: 'Withdrawals',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/resolution',
    scope: 'decide',
    summary: 'Settle an unknown withdrawal by hand',
    description:
      'For a withdrawal that is `unknown` or has `attention`, after you asked the gateway’s operator. `sent`: it follows the payout of `transaction_uuid` (with `payouts`, unless it has it already); 422 unless the user’s list has that payout and no other withdrawal has it. `not_sent`: it becomes `failed`, its hold released; 409 with `unowned` while payouts of that user belong to nothing, and 409 while another user has one of the list or an event in quarantine may tell of it. Later reports still count.',
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
            settled_by: 'merchant',
          },
        },
      },
    ],
    problems: ['invalid_request', 'not_found', 'conflict', 'gateway_unavailable', 'gateway_misconfigured'],
  },
  {
    id: 'listPayouts',
    tag: 'Withdrawals',
    method: 'get',
    path: '/payouts',
    scope: 'read',
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
    tag: 'Withdrawals',
    method: 'post',
    path: '/payouts/{transaction_uuid}/owner',
    scope: 'payouts',
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
    tag: 'Ledger',
    method: 'get',
    path: '/transactions',
    scope: 'read',
    summary: "Read the gateway's list",
    description:
      'Across all users, or of one. The withdrawals list and the feed have the withdrawals and purchases that this list lacks.',
    query: merchantTransactionsQuery,
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
]
