import { add, canonical, compare, equals, isDecimal, isZero, ZERO, type Decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { book } from '../ledger/book.ts'
import type { Store } from '../store/port.ts'

export interface AdjustmentInput {
  readonly currency_id: string
  /** A signed decimal: what the user gets (positive) or gives (negative). */
  readonly amount: string
  /** The merchant's own name for it; booked once. */
  readonly reference: string
}

export interface Adjustment extends AdjustmentInput {
  readonly user_reference_id: string
  readonly available: string
  readonly held: string
  readonly created_at: string
}

const readAmount = (text: string): Decimal => {
  if (!isDecimal(text) || isZero(text) || !/^-?\d{1,60}(\.\d{1,30})?$/.test(text))
    throw new Problem('invalid_request', 'amount must be a signed decimal other than zero.', {
      errors: {
        amount: ['must be a signed decimal other than zero, with at most 60 digits before and 30 after the point'],
      },
    })
  return text
}

const keyOf = (user: string, reference: string): string => `adjustment:${user}:${reference}`

/** The result of an adjustment, as it is kept and given again. Throws `invalid_request` where the content differs. */
function sameAgain(kept: string, user: string, input: AdjustmentInput, amount: Decimal): Adjustment {
  const first = JSON.parse(kept) as Adjustment
  if (first.currency_id === input.currency_id && equals(first.amount as Decimal, amount)) return first
  throw new Problem('invalid_request', `The reference was used for another adjustment of ${user}.`, {
    errors: { reference: ['was used before with another currency_id or amount'] },
  })
}

/**
 * `POST /api/merchant/users/{id}/adjustments`: moves a user's money for the merchant's own reasons, once a reference.
 * The user may have no session yet. `listCurrencies` is asked where the currency is not known, since the first call
 * after a start may come before the first list. Throws `not_found` for a currency that is not known even then,
 * `insufficient_balance` below zero, and `not_available` where the merchant keeps the books itself.
 */
export function createAdjustBalance(store: Store, books: boolean, listCurrencies: () => Promise<unknown>) {
  return async (user: string, input: AdjustmentInput): Promise<{ created: boolean; adjustment: Adjustment }> => {
    if (!books) throw new Problem('not_available', 'The merchant keeps the books; there are no balances here.')
    const amount = readAmount(input.amount)
    if ((await store.currencies.byId(input.currency_id)) === null) await listCurrencies().catch(() => undefined)
    return store.transaction(async (tx) => {
      await tx.users.prepare(user, tx.now)
      await tx.users.lock([user])
      const before = await tx.books.findPosting(keyOf(user, input.reference))
      if (before !== null) return { created: false, adjustment: sameAgain(before.detail ?? '{}', user, input, amount) }
      if ((await tx.currencies.byId(input.currency_id)) === null)
        throw new Problem('not_found', 'There is no such currency.')
      const balance = await tx.books.balance(user, input.currency_id)
      const after = add(balance.available, amount)
      if (compare(amount, ZERO) < 0 && compare(after, ZERO) < 0)
        throw new Problem('insufficient_balance', `Available: ${canonical(balance.available)}.`)
      const adjustment: Adjustment = {
        user_reference_id: user,
        currency_id: input.currency_id,
        amount,
        reference: input.reference,
        available: canonical(after),
        held: canonical(balance.held),
        created_at: new Date(tx.now).toISOString(),
      }
      await book(tx, {
        booking: 'adjustment',
        posting_key: keyOf(user, input.reference),
        user_reference_id: user,
        currency_id: input.currency_id,
        amount,
        detail: JSON.stringify(adjustment),
      })
      return { created: true, adjustment }
    })
  }
}
