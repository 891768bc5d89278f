/** Values that the examples of docs/openapi.json share. */
import type * as z from 'zod/mini'
import type { transactionData } from '#lib/contract/merchant-replies.ts'

export const USER_EXAMPLE = 'user-81f3'
export const SESSION_EXAMPLE = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
export const CURRENCY_EXAMPLE = 'b1c0f8a2-5d1e-4c1b-9f5e-2f6d3a0b7c11'
export const WITHDRAWAL_ID_EXAMPLE = '5c1e7a90-3b52-4d0c-8f0e-6a1d2b3c4d5e'
export const PAYOUT_EXAMPLE = '7d0c2f4e-91aa-4f7b-8c33-0e5f6a7b8c9d'
const DEPOSIT = '2b8f6c1d-40e7-4a52-b7d9-9a0c1e2f3a4b'
const ONRAMP = 'c3d4e5f6-0718-4293-a4b5-c6d7e8f90a1b'
const ONRAMP_SESSION = '9e8d7c6b-5a49-4382-b716-05f4e3d2c1b0'
export const HASH_EXAMPLE = '9f2a6d0c4b8e1f3a5c7d9e0b2a4c6e8f1a3b5c7d9e0f2a4b6c8d0e1f3a5b7c9d'
export const ADDRESS_EXAMPLE = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
export const CURSOR_EXAMPLE = '9f2c41d07b3e-1041'
export const TIME_EXAMPLE = '2026-11-21T12:00:00.000Z'

type Data = z.infer<typeof transactionData>

const common = {
  amount: '120.5',
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-21T12:01:07.118Z',
  user_reference_id: USER_EXAMPLE,
  source: 'webhook',
} as const

const deposit = (status: Data['status'], more: Partial<Data> = {}): Data => ({
  transaction_uuid: DEPOSIT,
  kind: 'deposit',
  status,
  ...common,
  tx_hash: HASH_EXAMPLE,
  ...more,
})

const withdrawal = (status: Data['status'], more: Partial<Data> = {}): Data => ({
  transaction_uuid: PAYOUT_EXAMPLE,
  kind: 'payout',
  status,
  ...common,
  amount: '25',
  withdrawal_id: WITHDRAWAL_ID_EXAMPLE,
  ...more,
})

const onramp = (status: Data['status'], more: Partial<Data> = {}): Data => ({
  transaction_uuid: ONRAMP,
  kind: 'onramp',
  status,
  ...common,
  amount: null,
  session_reference: ONRAMP_SESSION,
  ...more,
})

/** `data` for each kind and status, with a summary of the event. */
export const TRANSACTIONS: readonly (readonly [summary: string, data: Data])[] = [
  ['A deposit is seen on its network', deposit('processing')],
  ['A deposit is credited', deposit('succeeded')],
  ["A deposit failed, according to the gateway's list", deposit('failed', { source: 'reconciliation' })],
  ["A deposit has an unknown status in the gateway's list", deposit('other', { source: 'reconciliation' })],
  ['You postponed a withdrawal', withdrawal('pending_authorization', { transaction_uuid: null, source: 'cashier' })],
  ['A withdrawal is on its way', withdrawal('processing', { source: 'cashier' })],
  ['The gateway waits for an approval of a withdrawal', withdrawal('awaiting_approval', { source: 'cashier' })],
  [
    'The gateway did not answer: it is not yet known whether it sends the withdrawal',
    withdrawal('unknown', { transaction_uuid: null, source: 'cashier' }),
  ],
  ['A withdrawal is paid out', withdrawal('succeeded', { tx_hash: HASH_EXAMPLE })],
  [
    'A withdrawal failed: declined, refused, or never sent. Without a transaction it has no uuid',
    withdrawal('failed', { transaction_uuid: null, source: 'cashier' }),
  ],
  [
    'A payout that is no withdrawal of the cashier has an unknown status',
    { transaction_uuid: PAYOUT_EXAMPLE, kind: 'payout', status: 'other', ...common, source: 'reconciliation' },
  ],
  ['A purchase has begun', onramp('pending')],
  ['A purchase is paid, and its coins are on their way', onramp('processing')],
  [
    'A purchase is complete. Its deposit has its own event, with the same tx_hash and another uuid: book the deposit',
    onramp('succeeded', { amount: '120.5', tx_hash: HASH_EXAMPLE }),
  ],
  ['A purchase failed', onramp('failed')],
]
