/** Which currency a screen is about. Server and page choose by the same rules, so that both render the same. */
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { decimal, isPositive } from '#lib/contract/money.ts'

/**
 * The currency requested in the URL if the session offers it, otherwise the first with a balance, otherwise the first.
 * Null without currencies.
 */
export function chooseCurrency(
  currencies: readonly Currency[],
  balances: readonly Balance[],
  requested: string | null,
): Currency | null {
  const funded = (currency: Currency) =>
    balances.some(({ currency_id, available }) => currency_id === currency.id && isPositive(decimal(available)))
  return currencies.find(({ id }) => id === requested) ?? currencies.find(funded) ?? currencies[0] ?? null
}

export const balanceOf = (balances: readonly Balance[], currencyId: string): Balance | null =>
  balances.find(({ currency_id }) => currency_id === currencyId) ?? null
