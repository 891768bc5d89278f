/** Which currency a screen is about: the one in its address, else one that the server and the page choose alike. */
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import { decimal, isPositive } from '#lib/contract/money.ts'

/** Of the address, where the session has it; else the first with money in it; else the first. Null for no currencies. */
export function chooseCurrency(
  currencies: readonly Currency[],
  balances: readonly Balance[],
  asked: string | null,
): Currency | null {
  const funded = (currency: Currency) =>
    balances.some(({ currency_id, available }) => currency_id === currency.id && isPositive(decimal(available)))
  return currencies.find(({ id }) => id === asked) ?? currencies.find(funded) ?? currencies[0] ?? null
}

export const balanceOf = (balances: readonly Balance[], currencyId: string): Balance | null =>
  balances.find(({ currency_id }) => currency_id === currencyId) ?? null
