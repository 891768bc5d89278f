import { compareCurrencies, type NamedCurrency } from './compare.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * Whether this id is stored with another code and another network: the gateway gives it to another currency now, and an
 * amount of one must not be booked in the other (docs/explanation/money.md, "Quarantine reasons").
 */
export function hasOtherMeaning(unit: UnitOfWork, named: NamedCurrency): boolean {
  const known = unit.currencies().find(({ id }) => id === named.currency_id)
  return known !== undefined && compareCurrencies({ ...known, currency_id: known.id }, named) === 'differ'
}
