import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { decimal, isDecimal, isPositive } from '#lib/contract/money.ts'

/**
 * The offered currencies of which the user has something, but for `chosen`: first those with its code on other networks,
 * then the others, each in the order of the list.
 */
export function fundedCurrencies(
  currencies: readonly Currency[],
  balances: readonly Balance[],
  chosen: Currency,
): readonly Currency[] {
  const isFunded = ({ available }: Balance): boolean => isDecimal(available) && isPositive(decimal(available))
  const ids = new Set(balances.filter(isFunded).map(({ currency_id }) => currency_id))
  const funded = currencies.filter(({ id }) => id !== chosen.id && ids.has(id))
  const hasCode = ({ currency_code }: Currency): boolean => currency_code === chosen.currency_code
  return [...funded.filter(hasCode), ...funded.filter((currency) => !hasCode(currency))]
}
