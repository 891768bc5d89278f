/** `TWO_PERSONS_ABOVE`: which acts need a second person. */
import { compare, decimal, type Decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { compareAmounts, compareCurrencies } from '../../ledger/compare.ts'
import type { MayDecide } from '../../ledger/payouts/may-decide.ts'
import type { PayoutRow } from '../../store/types.ts'

/** Amounts by upper-case currency code; `*` is for all others. */
export type AmountsByCode = Readonly<Record<string, string>>

interface Money {
  /** In any case. */
  readonly currency_code: string
  readonly amount: Decimal | null
}

const limitOf = (above: AmountsByCode, code: string): string | undefined =>
  Object.hasOwn(above, code) ? above[code] : above['*']

/**
 * True if an act is about an amount above its currency's limit. An amount that nobody knows may be above any. So may a
 * payout that nobody knows (null), and what is paid in one currency for another, whatever the limits.
 */
export function needsTwoPersons(above: AmountsByCode, ...about: readonly (Money | null)[]): boolean {
  if (Object.keys(above).length === 0) return false
  const known = about.filter((money) => money !== null)
  const codes = new Set(known.map(({ currency_code }) => currency_code.toUpperCase()))
  if (known.length < about.length || codes.size > 1) return true
  return known.some(({ currency_code, amount }) => {
    const limit = limitOf(above, currency_code.toUpperCase())
    return limit !== undefined && (amount === null || compare(amount, decimal(limit)) > 0)
  })
}

/**
 * For one person's decision about a payout, and perhaps its withdrawal.
 * @throws Problem `conflict` if it needs a second person by the payout as it is now
 */
export const byOnePerson =
  (above: AmountsByCode, ...about: readonly Money[]): MayDecide =>
  (payout) => {
    if (needsTwoPersons(above, payout, ...about))
      throw new Problem('conflict', 'Its amount has changed, and needs a second person now. Look at it again.')
  }

/**
 * For two persons' decision about a payout as both saw it; null: neither saw one.
 * @throws Problem `conflict` if it is of another amount or currency now
 */
export const byTwoPersons =
  (seen: PayoutRow | null): MayDecide =>
  (payout) => {
    if (seen === null) return
    const isSameAmount =
      seen.amount === payout.amount ||
      compareAmounts({ amount: seen.amount, inexact: seen.inexact === 1 || undefined }, payout) === 'agree'
    if (!isSameAmount || compareCurrencies(seen, payout) === 'differ')
      throw new Problem(
        'conflict',
        'The amount of the payout has changed since it was proposed. It must be made again.',
      )
  }
