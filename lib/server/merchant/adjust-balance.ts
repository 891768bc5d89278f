import type { LedgerMode } from '../ledger/accounts.ts'
import * as z from 'zod/mini'
import { add, canonical, compare, isDecimal, ZERO, type Decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { AdjustmentRequest } from '#lib/contract/merchant-requests.ts'
import { adjustmentKey, erasedKey } from '../ledger/adjustment-keys.ts'
import { compareAmounts, compareTexts, surelyAgrees } from '../ledger/compare.ts'
import { post } from '../ledger/post-entries.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { Store, Tx } from '../store/types.ts'

const amountSchema = z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value))

const adjustmentSchema = z.object({
  user_reference_id: z.string(),
  currency_id: z.string(),
  amount: amountSchema,
  reference: z.string(),
  available: amountSchema,
  held: amountSchema,
  created_at: z.string(),
})

/** An adjustment, as the answer has it and as it is stored with its posting. */
export type Adjustment = Readonly<z.infer<typeof adjustmentSchema>>

/**
 * The stored adjustment of this reference; null if there is none. The names of an erased user's adjustment are not
 * stored.
 * @throws Problem `invalid_request` if its content differs
 */
async function findAdjustment(
  { ledger }: Pick<Tx, 'ledger'>,
  owner: string | null,
  key: string,
  { user, input }: { readonly user: string; readonly input: AdjustmentRequest },
): Promise<Adjustment | null> {
  const { amount, reference } = input
  const posting = owner === null ? null : await ledger.findPosting(owner, key)
  if (posting === null) return null
  const stored = adjustmentSchema.parse(JSON.parse(posting.detail ?? '{}'))
  const first: Adjustment = { ...stored, user_reference_id: user, reference }
  const [currencies, amounts] = [compareTexts(first.currency_id, input.currency_id), compareAmounts(first, { amount })]
  if (surelyAgrees(currencies, amounts)) return first
  throw new Problem('invalid_request', `The reference was used for another adjustment of ${user}.`, {
    errors: { reference: ['was used before with another currency_id or amount'] },
  })
}

/**
 * Loads the balance of a locked user. If the user is erased at the same time, there is no row to lock, and a new row is
 * inserted: without a lock, another adjustment would overwrite the balance.
 */
async function loadLocked(tx: Tx, user: string, currencyId: string): Promise<UnitOfWork> {
  for (;;) {
    await tx.users.insertIfMissing(user, tx.now)
    const unit = await tx.load({ users: [user], balances: [[user, currencyId]] })
    if (unit.hasUser(user)) return unit
  }
}

/**
 * Why a debit is not booked. After a restore, deposits since the backup may not be read yet: nobody may take that for the
 * end of it. Only a user whom the gateway may know has a list that is read.
 */
function refusedDebit(unit: UnitOfWork, user: string, available: Decimal): Problem {
  const isUnread = unit.sinceRestore(user) === 'unchecked' && unit.isKnown(user)
  const why = isUnread ? ' Not all deposits are read again since the database was restored: repeat the adjustment.' : ''
  return new Problem('insufficient_balance', `Available: ${canonical(available)}.${why}`)
}

/**
 * `POST /api/merchant/users/{id}/adjustments`: changes a user's balance for the merchant's own reasons, once per
 * reference. The user needs no session. For an unknown currency `listCurrencies` is called, since the first call after
 * a start may come before the first list.
 * @throws Problem `not_found` if the currency is then still unknown, `insufficient_balance` below zero, and
 * `not_available` if the merchant keeps the books
 */
export function createAdjustBalance(store: Store, ledgerMode: LedgerMode, listCurrencies: () => Promise<unknown>) {
  return async (
    user: string,
    input: AdjustmentRequest,
    requestId: string | null = null,
  ): Promise<{ created: boolean; adjustment: Adjustment }> => {
    if (ledgerMode === 'merchant')
      throw new Problem('not_available', 'The merchant keeps the balances; the cashier has none.')
    const { amount } = input
    if ((await store.currencies.byId(input.currency_id)) === null) await listCurrencies().catch(() => undefined)
    return store.transaction(async (tx) => {
      const key = adjustmentKey(user, input.reference)
      const findErased = async (): Promise<Adjustment | null> => {
        const name = erasedKey(key)
        return findAdjustment(tx, await tx.ledger.erasedOwner(name), name, { user, input })
      }
      // Before a row is inserted: the user may be erased.
      const erased = await findErased()
      if (erased !== null) return { created: false, adjustment: erased }
      const unit = await loadLocked(tx, user, input.currency_id)
      const before = (await findAdjustment(tx, user, key, { user, input })) ?? (await findErased())
      if (before !== null) return { created: false, adjustment: before }
      if ((await tx.currencies.byId(input.currency_id)) === null)
        throw new Problem('not_found', 'There is no such currency.')
      const balance = unit.balance(user, input.currency_id)
      const after = add(balance.available, amount)
      if (compare(amount, ZERO) < 0 && compare(after, ZERO) < 0) throw refusedDebit(unit, user, balance.available)
      const adjustment: Adjustment = {
        user_reference_id: user,
        currency_id: input.currency_id,
        amount,
        reference: input.reference,
        available: canonical(after),
        held: canonical(balance.held),
        created_at: new Date(tx.now).toISOString(),
      }
      post(unit, {
        booking: 'adjustment',
        posting_key: key,
        user_reference_id: user,
        currency_id: input.currency_id,
        amount,
        detail: JSON.stringify(adjustment),
      })
      await tx.save(unit)
      await tx.requestEffects.note({
        request_id: requestId,
        kind: 'adjustment',
        name: input.reference,
        user_reference_id: user,
        created_ms: tx.now,
      })
      return { created: true, adjustment }
    })
  }
}
