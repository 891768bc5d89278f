import { canonical, type Decimal } from '#lib/contract/money.ts'
import { aboutEntry } from '../ledger/about-entry.ts'
import type { Account } from '../ledger/accounts.ts'
import type { Store } from '../store/types.ts'
import { readCursor } from './read-cursor.ts'

/** One entry of a user's account, as `GET /api/merchant/users/{user_reference_id}/entries` shows it. */
export interface LedgerEntry {
  readonly id: string
  readonly booked_at: string
  readonly currency_id: string
  readonly currency_code: string
  readonly network: string
  /** Signed. */
  readonly amount: Decimal
  readonly account: Extract<Account, 'available' | 'held'>
  readonly reason: string
  readonly transaction_uuid?: string
  readonly withdrawal_id?: string
  /** The merchant's reference of an adjustment. */
  readonly reference?: string
}

export interface LedgerEntriesPage {
  readonly entries: readonly LedgerEntry[]
  /** The `after` of the next call, for older entries. */
  readonly next_cursor: string
}

/**
 * `GET /api/merchant/users/{user_reference_id}/entries` (docs/reference/merchant-api.md, "Read a user's ledger
 * entries"): the entries of the user's own accounts, newest first.
 * @throws Problem `invalid_request` with `errors.after` for an invalid cursor
 */
export const createListEntries =
  (store: Pick<Store, 'ledger' | 'currencies' | 'withdrawals'>) =>
  async (
    user: string,
    input: { readonly after: string | null; readonly limit: number },
  ): Promise<LedgerEntriesPage> => {
    const before = input.after === null ? null : readCursor(input.after, 'after')
    const rows = await store.ledger.userEntries(user, before, input.limit)
    const about = new Map(rows.map((row) => [row, aboutEntry(row)]))
    const [currencies, withdrawals] = await Promise.all([
      store.currencies.all(),
      store.withdrawals.byIds(
        [...new Set([...about.values()].flatMap(({ withdrawal_id }) => withdrawal_id ?? []))].map((id) => [user, id]),
      ),
    ])
    const currencyById = new Map(currencies.map((currency) => [currency.id, currency]))
    const payoutOf = new Map(withdrawals.map(({ id, transaction_uuid }) => [id, transaction_uuid]))
    const entries = rows.map((row): LedgerEntry => {
      const { reason, ...references } = about.get(row) ?? aboutEntry(row)
      const payout = references.withdrawal_id === undefined ? null : payoutOf.get(references.withdrawal_id)
      return {
        id: String(row.id),
        booked_at: new Date(row.created_ms).toISOString(),
        currency_id: row.currency_id,
        currency_code: currencyById.get(row.currency_id)?.currency_code ?? '',
        network: currencyById.get(row.currency_id)?.network ?? '',
        amount: canonical(row.amount),
        account: row.account,
        reason,
        ...(payout && { transaction_uuid: payout }),
        ...references,
      }
    })
    return { entries, next_cursor: String(rows.at(-1)?.id ?? before ?? 0) }
  }
