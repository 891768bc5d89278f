import { compareCurrencies, type NamedCurrency } from './compare.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** A currency by its names alone. */
const namesOf = ({ currency_code, network }: Omit<NamedCurrency, 'currency_id'>): NamedCurrency => ({
  currency_id: null,
  currency_code,
  network,
})

const knownAs = (unit: UnitOfWork, { currency_id }: Pick<NamedCurrency, 'currency_id'>) =>
  unit.currenciesSoFar().find(({ id }) => id === currency_id)

/** Whether this id is stored under other names: only all known currencies show whether it means another one. */
export function isRenamed(unit: UnitOfWork, named: NamedCurrency): boolean {
  const known = knownAs(unit, named)
  return known !== undefined && compareCurrencies(namesOf(known), namesOf(named)) === 'differ'
}

/**
 * Whether this id is stored with another code and another network, or has the names of another known currency: the
 * gateway gives it to another currency now, and an amount of one must not be booked in the other
 * (docs/explanation/money.md, "Quarantine reasons"). The unit has loaded all currencies if the id is renamed.
 */
export function hasOtherMeaning(unit: UnitOfWork, named: NamedCurrency): boolean {
  const known = knownAs(unit, named)
  if (known === undefined || !isRenamed(unit, named)) return false
  const isOther = unit
    .currenciesSoFar()
    .some((other) => other !== known && compareCurrencies(namesOf(other), namesOf(named)) === 'agree')
  return isOther || compareCurrencies({ ...known, currency_id: known.id }, named) === 'differ'
}

/**
 * A currency by the names that are stored of its id: no event and no record renames it, since who keeps the books knows a
 * currency by its names. Its own names if the id is not known, or means another currency now.
 */
export function underStoredNames<Named extends NamedCurrency>(unit: UnitOfWork, named: Named): Named {
  const known = knownAs(unit, named)
  return known === undefined || hasOtherMeaning(unit, named)
    ? named
    : { ...named, currency_code: known.currency_code, network: known.network }
}
