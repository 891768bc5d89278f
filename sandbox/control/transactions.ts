import { z } from 'zod'
import type { Context } from '../context.ts'
import { listedCurrencies } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import { amount, oneOf, text, userReference } from '../operations/fields.ts'
import { presentTransaction } from '../operations/present-transaction.ts'
import { addressOf } from '../state/addresses.ts'
import {
  STATUS,
  TRANSACTION_TYPES,
  changeTransaction,
  insertTransaction,
  searchTransactions,
} from '../state/transactions.ts'
import { requireCurrency } from './require-currency.ts'
import { requireMerchant } from './require-merchant.ts'
import { limit, route } from './route.ts'

export const seedSchema = z.strictObject({
  user_reference: userReference,
  merchant_id: text.optional(),
  count: z.int().min(1).max(20_000),
  type: oneOf(TRANSACTION_TYPES).optional(),
  currency_id: text.optional(),
  currency: text.optional(),
  network: text.optional(),
  /** The time of the newest record; now by default. */
  at: z.iso.datetime({ precision: 3 }).optional(),
  /** Time between two records, backwards from the newest. */
  every_ms: z.int().min(0).max(86_400_000).default(60_000),
  amount: amount.optional(),
})

/** The currency by id, or by code and network; all currencies if none is named. */
function seededCurrencies({ currency_id, currency, network }: z.infer<typeof seedSchema>) {
  if (currency_id === undefined && currency === undefined && network === undefined) return listedCurrencies('usual')
  return [requireCurrency({ id: currency_id, code: currency, network })]
}

/** Creates completed transactions in the past without events: deposits and payouts alternate, currencies rotate. */
function seed(input: z.infer<typeof seedSchema>, context: Context): void {
  const merchantId = requireMerchant(context, input.merchant_id).id
  const currencies = seededCurrencies(input)
  const newest = input.at === undefined ? context.now() : Date.parse(input.at)
  for (let at = input.count - 1; at >= 0; at -= 1) {
    const currency = currencies[at % currencies.length]
    if (!currency) return
    const uuid = context.uuid()
    const { encoding } = NETWORKS[currency.network]
    const owned = addressOf({ merchantId, userReference: input.user_reference }, currency)
    const foreign = encoding.write(deterministicBytes('foreign', uuid))
    const type = input.type ?? (at % 2 === 0 ? 'Deposit' : 'Payout')
    const [from_address, to_address] = type === 'Deposit' ? [foreign, owned] : [owned, foreign]
    const inserted_at = newest - at * input.every_ms
    const made = insertTransaction(context.database, {
      uuid,
      merchant_id: merchantId,
      user_reference: input.user_reference,
      type,
      status: STATUS.requireProcessing,
      amount: input.amount ?? `${String(at + 1)}.000000000000000001`,
      currency_id: currency.id,
      from_address,
      to_address,
      tx_hash: encoding.hash(deterministicBytes('hash', uuid)),
      provider_transaction_id: `prv_${uuid.slice(0, 13)}`,
      requires_approval: false,
      inserted_at,
    })
    changeTransaction(context.database, made, { status: STATUS.succeeded, completed_at: inserted_at }, inserted_at)
  }
}

export const transactionRoutes = [
  route(
    'GET',
    '/transactions',
    'Every transaction, newest first: ?user_reference=&type=&status=&limit=.',
    z.strictObject({
      user_reference: text.optional(),
      type: oneOf(TRANSACTION_TYPES).optional(),
      status: text.optional(),
      limit: limit.default(100),
    }),
    (input, _params, context) => ({
      transactions: searchTransactions(context.database, {
        userReference: input.user_reference ?? null,
        type: input.type ?? null,
        status: input.status ?? null,
        limit: input.limit,
      }).map((transaction) => presentTransaction(transaction, context.origin)),
    }),
  ),
  route(
    'POST',
    '/transactions/seed',
    'Creates completed transactions in the past, without events: {user_reference, count, type?, currency_id? | currency + network?, at?, every_ms?, amount?, merchant_id?}.',
    seedSchema,
    (input, _params, context) => {
      seed(input, context)
      return { seeded: input.count }
    },
  ),
]
