import type { StartedOnramp } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { CashierSession, Store } from '../store/types.ts'
import { isAllowedLink } from './onramp-link.ts'
import { reportOf } from './payment-page.ts'

/**
 * `GET /api/cashier/onramp-sessions/{id}`: the user's own purchase with the provider's page, in a session of any flow.
 * @throws Problem `not_found` for another user's purchase and for a purchase without a page, and `unsafe_link` for a
 * page that is no longer in `ONRAMP_ORIGINS`
 */
export async function getOnramp(
  store: Store,
  origins: readonly string[],
  session: CashierSession,
  id: string,
): Promise<StartedOnramp> {
  const row = await store.onramps.find({ id, user_reference_id: session.user_reference_id })
  if (row?.link == null) throw new Problem('not_found', 'There is no such purchase.')
  if (!isAllowedLink(row.link, origins))
    throw new Problem('unsafe_link', 'The payment provider’s page is not on the list of allowed addresses.')
  const { link, status, expires_at, currency_code, wallet_address = null } = row
  return { id: row.id, link, status, expires_at, currency: currency_code, wallet_address, ...reportOf(row) }
}
