import type { MerchantPayout, PayoutsQuery } from '#lib/contract/withdrawal-requests.ts'
import { payoutView } from '../ledger/payouts/payout-view.ts'
import type { Store } from '../store/types.ts'
import { writePlace, readPlace } from './read-cursor.ts'

export interface PayoutsPage {
  readonly payouts: readonly MerchantPayout[]
  /** The `after` of the next call, also on the last page. */
  readonly next_cursor: string
}

const OWNERS = { none: null, withdrawal: 'withdrawal', acknowledged: 'acknowledged', before: 'before' } as const

/**
 * `GET /api/merchant/payouts` (docs/reference/merchant-api.md, "List payouts"): every payout that the gateway has
 * shown, newest first.
 * @throws Problem `invalid_request` with `errors.after` for an invalid cursor
 */
export const createListPayouts =
  (store: Pick<Store, 'payouts'>) =>
  async ({ owner, user_reference_id, after, limit }: PayoutsQuery): Promise<PayoutsPage> => {
    const place = readPlace(after, 'after')
    const rows = await store.payouts.page(
      { owner: owner === null ? undefined : OWNERS[owner], user_reference_id },
      { first_seen_ms: place.ms, transaction_uuid: place.id },
      limit,
    )
    const last = rows.at(-1)
    return {
      payouts: rows.map(payoutView),
      next_cursor: writePlace(last === undefined ? place : { ms: last.first_seen_ms, id: last.transaction_uuid }),
    }
  }
