/** `TWO_PERSONS_ABOVE`: which acts need a second person. */
import { compare, decimal, type Decimal } from '#lib/contract/money.ts'

/** Amounts by upper-case currency code; `*` is for all others. */
export type AmountsByCode = Readonly<Record<string, string>>

/**
 * True if one of these amounts is above the currency's limit. An amount that nobody knows may be above any.
 * @param code of the currency, in any case
 */
export function needsTwoPersons(above: AmountsByCode, code: string, ...amounts: readonly (Decimal | null)[]): boolean {
  const name = code.toUpperCase()
  const limit = Object.hasOwn(above, name) ? above[name] : above['*']
  if (limit === undefined) return false
  return amounts.some((amount) => amount === null || compare(amount, decimal(limit)) > 0)
}
