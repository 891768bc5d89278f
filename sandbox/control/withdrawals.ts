import { z } from 'zod'
import type { Context } from '../context.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { approvePayout, completePayout, createPayout, failPayout } from '../lifecycle/payouts.ts'
import { amount, text, userReference } from '../operations/fields.ts'
import { presentTransaction } from '../operations/present-transaction.ts'
import { searchTransactions } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { requireCurrency } from './require-currency.ts'
import { requireMerchant } from './require-merchant.ts'
import { limit, noInput, route } from './route.ts'

export const payoutSchema = z.strictObject({
  user_reference: userReference,
  merchant_id: text.optional(),
  currency_id: text.optional(),
  currency: text.optional(),
  network: text.optional(),
  amount,
  wallet_address: text.optional(),
  requires_approval: z.boolean().default(false),
})

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
    '/withdrawals',
    'A payout, as if the merchant had called: {user_reference, currency_id | currency + network, amount, wallet_address?, requires_approval?, merchant_id?}.',
    payoutSchema,
    (input, _params, context) => {
      const currency = requireCurrency({ id: input.currency_id, code: input.currency, network: input.network })
      const wallet = () => NETWORKS[currency.network].encoding.write(deterministicBytes('wallet', input.user_reference))
      const made = createPayout(context, {
        merchantId: requireMerchant(context, input.merchant_id).id,
        userReference: input.user_reference,
        currency,
        amount: input.amount,
        walletAddress: input.wallet_address ?? wallet(),
        requiresApproval: input.requires_approval,
      })
      return { transaction: shown(made, context) }
    },
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
