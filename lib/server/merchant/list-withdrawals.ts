import type { MerchantWithdrawal, WithdrawalsQuery } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import type { Store, WithdrawalRow, WithdrawalsPlace } from '../store/types.ts'

export interface WithdrawalsPage {
  readonly withdrawals: readonly MerchantWithdrawal[]
  /** The `after` of the next call, also on the last page. */
  readonly next_cursor: string
}

/** The place before the newest. */
const START: WithdrawalsPlace = { created_ms: Number.MAX_SAFE_INTEGER, id: '' }

/** Time and id of the last withdrawal on a page. */
const CURSOR = /^(\d{1,16})-([0-9A-Za-z-]{0,100})$/

const cursorOf = ({ created_ms, id }: WithdrawalsPlace): string => `${created_ms}-${id}`

function placeOf(cursor: string | null): WithdrawalsPlace {
  if (cursor === null) return START
  const [, time, id] = CURSOR.exec(cursor) ?? []
  if (time !== undefined && id !== undefined && Number(time) <= START.created_ms)
    return { created_ms: Number(time), id }
  throw new Problem('invalid_request', 'The cursor is not valid.', {
    errors: { after: ['must be a cursor from an earlier answer'] },
  })
}

/**
 * `GET /api/merchant/withdrawals` (docs/reference/merchant-api.md, "List withdrawals"): newest first. Throws a
 * `Problem` `invalid_request` with `errors.after` for an invalid cursor.
 */
export const createListWithdrawals =
  (store: Pick<Store, 'withdrawals' | 'payouts'>, clock: () => number) =>
  async ({ status, user_reference_id, after, limit }: WithdrawalsQuery): Promise<WithdrawalsPage> => {
    const place = placeOf(after)
    const rows = await store.withdrawals.page({ status, user_reference_id }, place, limit)
    const open = await store.payouts.openOf([...new Set(rows.map((row) => row.user_reference_id))])
    const openOf = Map.groupBy(open, (payout) => payout.user_reference_id)
    const viewOf = (row: WithdrawalRow): MerchantWithdrawal =>
      merchantWithdrawalView(row, openOf.get(row.user_reference_id) ?? [], clock())
    return { withdrawals: rows.map(viewOf), next_cursor: cursorOf(rows.at(-1) ?? place) }
  }

/** `GET /api/merchant/withdrawals/{id}`. Throws `not_found`. */
export const createFindWithdrawal =
  (store: Pick<Store, 'withdrawals' | 'payouts'>, clock: () => number) =>
  async (id: string): Promise<MerchantWithdrawal> => {
    const row = await store.withdrawals.find(id)
    if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
    return merchantWithdrawalView(row, await store.payouts.openOf([row.user_reference_id]), clock())
  }
