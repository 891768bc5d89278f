import type { LedgerMode } from '../ledger/accounts.ts'
import type { Balance } from '#lib/contract/cashier.ts'
import { canonical } from '#lib/contract/money.ts'
import type { Store } from '../store/types.ts'

/** A user's balances; empty if the merchant keeps the books. */
export async function listBalances(store: Store, ledgerMode: LedgerMode, user: string): Promise<readonly Balance[]> {
  if (ledgerMode === 'merchant') return []
  const [rows, currencies] = await Promise.all([store.ledger.balances(user), store.currencies.all()])
  const byId = new Map(currencies.map((currency) => [currency.id, currency]))
  return rows.map((row) => ({
    currency_id: row.currency_id,
    currency_code: byId.get(row.currency_id)?.currency_code ?? '',
    network: byId.get(row.currency_id)?.network ?? '',
    available: canonical(row.available),
    held: canonical(row.held),
  }))
}
