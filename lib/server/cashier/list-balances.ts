import type { Balance } from '#lib/contract/cashier.ts'
import { canonical } from '#lib/contract/money.ts'
import type { Store } from '../store/port.ts'

/** A user's balances; none where the merchant keeps the books. */
export async function listBalances(store: Store, books: boolean, user: string): Promise<readonly Balance[]> {
  if (!books) return []
  const [rows, currencies] = await Promise.all([store.books.balances(user), store.currencies.all()])
  const words = new Map(currencies.map((currency) => [currency.id, currency]))
  return rows.map((row) => ({
    currency_id: row.currency_id,
    currency_code: words.get(row.currency_id)?.currency_code ?? '',
    network: words.get(row.currency_id)?.network ?? '',
    available: canonical(row.available),
    held: canonical(row.held),
  }))
}
