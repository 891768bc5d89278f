import { chooseCurrency } from '#lib/browser/choose-currency.ts'
import type { Balance, Currency } from '#lib/contract/cashier.ts'
import type { Loaded } from '#lib/server/runtime/app.ts'

/** The currency that a page is about, from what could be loaded. Null without currencies. */
export const pageCurrency = (
  currencies: Loaded<readonly Currency[]>,
  balances: Loaded<readonly Balance[]>,
  requested: string | null,
): Currency | null =>
  currencies.ok ? chooseCurrency(currencies.data, balances.ok ? balances.data : [], requested) : null
