import { compareCurrencies, type NamedCurrency } from './compare.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** A currency by its names alone. */
const namesOf = ({ currency_code, network }: Omit<NamedCurrency, 'currency_id'>): NamedCurrency => ({
  currency_id: null,
  currency_code,
  network,
})

/**
 * Whether this id is stored with another code and another network, or has the names of another known currency: the
 * gateway gives it to another currency now, and an amount of one must not be booked in the other
 * (docs/explanation/money.md, "Quarantine reasons").
 */
export function hasOtherMeaning(unit: UnitOfWork, named: NamedCurrency): boolean {
  const known = unit.currencies().find(({ id }) => id === named.currency_id)
  if (known === undefined || compareCurrencies(namesOf(known), namesOf(named)) === 'agree') return false
  const isOther = unit
    .currencies()
    .some((other) => other !== known && compareCurrencies(namesOf(other), namesOf(named)) === 'agree')
  return isOther || compareCurrencies({ ...known, currency_id: known.id }, named) === 'differ'
}
