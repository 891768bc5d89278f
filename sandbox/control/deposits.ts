import { z } from 'zod'
import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { confirmDeposit, detectDeposit, failDeposit } from '../lifecycle/deposits.ts'
import { HttpError } from '../http/http-error.ts'
import { amount, text, userReference } from '../operations/fields.ts'
import { presentTransaction } from '../operations/present-transaction.ts'
import { findAddress, listAddresses } from '../state/addresses.ts'
import type { Transaction } from '../state/transactions.ts'
import { requireCurrency } from './require-currency.ts'
import { requireMerchant } from './require-merchant.ts'
import { limit, route } from './route.ts'

export const depositSchema = z.strictObject({
  address: text.optional(),
  merchant_id: text.optional(),
  user_reference: userReference.optional(),
  currency_id: text.optional(),
  currency: text.optional(),
  network: text.optional(),
  amount,
  confirm: z.boolean().default(false),
  from_address: text.optional(),
  tx_hash: text.optional(),
})

type DepositInput = z.infer<typeof depositSchema>

/** The owner and currency of a deposit: those of the address, or those given. */
function destination(input: DepositInput, context: Context) {
  if (input.address !== undefined) {
    const known = findAddress(context.database, input.address)
    if (!known) throw new HttpError(404, `the gateway has no address ${input.address}`)
    const owner = { merchantId: known.merchant_id, userReference: known.user_reference }
    return { owner, currency: currencyById(known.currency_id) }
  }
  if (input.user_reference === undefined) throw new HttpError(422, 'either address or user_reference is required')
  const currency = requireCurrency({ id: input.currency_id, code: input.currency, network: input.network })
  return {
    owner: { merchantId: requireMerchant(context, input.merchant_id).id, userReference: input.user_reference },
    currency,
  }
}

const shown = (transaction: Transaction, context: Context) => ({
  transaction: presentTransaction(transaction, context.origin),
})

export const depositRoutes = [
  route(
    'POST',
    '/deposits',
    'A deposit appears on the chain: {address | user_reference + (currency_id | currency + network), amount, confirm?, from_address?, tx_hash?, merchant_id?}.',
    depositSchema,
    (input, _params, context) => {
      const { owner, currency } = destination(input, context)
      const { amount: asked, from_address: fromAddress, tx_hash: txHash } = input
      const detected = detectDeposit(context, { owner, currency, amount: asked, fromAddress, txHash })
      return shown(input.confirm ? confirmDeposit(context, detected.uuid) : detected, context)
    },
  ),
  route(
    'POST',
    '/deposits/:uuid/confirm',
    'The blockchain confirms the deposit: {amount?}, when another amount than detected is to be credited.',
    z.strictObject({ amount: amount.optional() }),
    (input, { uuid = '' }, context) => shown(confirmDeposit(context, uuid, input.amount), context),
  ),
  route(
    'POST',
    '/deposits/:uuid/fail',
    'The transfer failed: {reason?}. No event, unless failure_webhooks is on.',
    z.strictObject({ reason: text.default('the block was dropped') }),
    (input, { uuid = '' }, context) => shown(failDeposit(context, uuid, input.reason), context),
  ),
  route(
    'GET',
    '/addresses',
    'Deposit addresses, newest first: ?user_reference=&limit=.',
    z.strictObject({ user_reference: text.optional(), limit: limit.default(50) }),
    (input, _params, context) => ({
      addresses: listAddresses(context.database, input.user_reference ?? null, input.limit).map((known) => {
        const { code, network, decimals } = currencyById(known.currency_id)
        return { ...known, currency: code, network, decimals }
      }),
    }),
  ),
]
