import type { Currency } from '#lib/contract/cashier.ts'
import type { CashierSession } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'

/** `GET /api/cashier/currencies`: the currencies that the merchant offers in this session. */
export async function listCurrencies(cache: CurrencyCache, session: CashierSession): Promise<readonly Currency[]> {
  const list = await cache.list()
  const { currency_ids } = session
  return currency_ids === null ? list : list.filter(({ id }) => currency_ids.includes(id))
}
