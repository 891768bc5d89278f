import { z } from 'zod'
import type { Context } from '../context.ts'
import { approvePayout, completePayout, failPayout } from '../lifecycle/payouts.ts'
import { text } from '../operations/fields.ts'
import { presentTransaction } from '../operations/present-transaction.ts'
import { searchTransactions } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { limit, noInput, route } from './route.ts'

const shown = (payout: Transaction, context: Context) => ({
  ...presentTransaction(payout, context.origin),
  requires_approval: payout.requires_approval,
})

export const withdrawalRoutes = [
  route(
    'GET',
    '/withdrawals',
    'Payouts, newest first: ?user_reference=&status=&limit=.',
    z.strictObject({ user_reference: text.optional(), status: text.optional(), limit: limit.default(100) }),
    (input, _params, context) => ({
      withdrawals: searchTransactions(context.database, {
        userReference: input.user_reference ?? null,
        type: 'Payout',
        status: input.status ?? null,
        limit: input.limit,
      }).map((payout) => shown(payout, context)),
    }),
  ),
  route(
    'POST',
    '/withdrawals/:uuid/approve',
    'Approves a payout that awaits approval.',
    noInput,
    (_input, { uuid = '' }, context) => ({
      transaction: shown(approvePayout(context, uuid), context),
    }),
  ),
  route(
    'POST',
    '/withdrawals/:uuid/complete',
    'The funds were sent: User Payout succeeded.',
    noInput,
    (_input, { uuid = '' }, context) => ({
      transaction: shown(completePayout(context, uuid), context),
    }),
  ),
  route(
    'POST',
    '/withdrawals/:uuid/fail',
    'The payout fails or is declined: {reason?}. No event, unless failure_webhooks is on.',
    z.strictObject({ reason: text.default('declined by the operator') }),
    (input, { uuid = '' }, context) => ({ transaction: shown(failPayout(context, uuid, input.reason), context) }),
  ),
]
