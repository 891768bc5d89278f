import type { MerchantWithdrawal, WithdrawalsQuery } from '#lib/contract/withdrawal-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'
import { writePlace, readPlace } from './read-cursor.ts'

export interface WithdrawalsPage {
  readonly withdrawals: readonly MerchantWithdrawal[]
  /** The `after` of the next call, also on the last page. */
  readonly next_cursor: string
}

/**
 * `GET /api/merchant/withdrawals` (docs/reference/merchant-api.md, "List withdrawals"): newest first.
 * @throws Problem `invalid_request` with `errors.after` for an invalid cursor
 */
export const createListWithdrawals =
  (store: Pick<Store, 'withdrawals' | 'payouts'>, clock: () => number) =>
  async ({ status, user_reference_id, after, limit }: WithdrawalsQuery): Promise<WithdrawalsPage> => {
    const place = readPlace(after, 'after')
    const from = { created_ms: place.ms, id: place.id }
    const rows = await store.withdrawals.page({ status, user_reference_id }, from, limit)
    const open = Map.groupBy(
      await store.payouts.openOf([...new Set(rows.map((row) => row.user_reference_id))]),
      ({ user_reference_id }) => user_reference_id,
    )
    const viewOf = (row: WithdrawalRow): MerchantWithdrawal =>
      merchantWithdrawalView(row, open.get(row.user_reference_id) ?? [], clock())
    const last = rows.at(-1)
    return {
      withdrawals: rows.map(viewOf),
      next_cursor: writePlace(last === undefined ? place : { ms: last.created_ms, id: last.id }),
    }
  }

/** `GET /api/merchant/withdrawals/{id}`. @throws Problem `not_found` */
export const createFindWithdrawal =
  (store: Pick<Store, 'withdrawals' | 'payouts'>, clock: () => number) =>
  async (id: string): Promise<MerchantWithdrawal> => {
    const row = await store.withdrawals.find(id)
    if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
    return merchantWithdrawalView(row, await store.payouts.openOf([row.user_reference_id]), clock())
  }
