import type { PossibleOwner } from '#lib/contract/operate/decide.ts'
import type { ClockOffset } from '../../ledger/gateway-time.ts'
import { mayBePaidBy } from '../../ledger/payouts/attempts.ts'
import { merchantWithdrawalView } from '../../ledger/withdrawal-view.ts'
import type { PayoutRow, Store } from '../../store/types.ts'
import { comparePayout, differencesIn } from './compare-payout.ts'
import { canTakePayout } from './give-owner.ts'
import { needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export interface PossibleOwnersOptions {
  readonly store: Pick<Store, 'withdrawals'>
  readonly clock: () => number
  readonly clockOffset: () => ClockOffset
  readonly twoPersonsAbove: AmountsByCode
}

/** As many of the user's newest withdrawals are compared with the payout. */
const MOST_WITHDRAWALS = 200
const NEWEST = { created_ms: Number.MAX_SAFE_INTEGER, id: '' } as const

/**
 * The withdrawals of its user that may take a payout; first those at which a person must look, then the most alike.
 * None for a payout that has an owner.
 */
export const createPossibleOwners =
  ({ store, clock, clockOffset, twoPersonsAbove }: PossibleOwnersOptions) =>
  async (payout: PayoutRow): Promise<PossibleOwner[]> => {
    if (payout.owner !== null) return []
    const filter = { status: null, user_reference_id: payout.user_reference_id }
    const rows = await store.withdrawals.page(filter, NEWEST, MOST_WITHDRAWALS)
    return rows
      .filter(canTakePayout)
      .map((row) => ({
        withdrawal: merchantWithdrawalView(row, [payout], clock()),
        compared: [...comparePayout(payout, row, clockOffset())],
        is_likely: mayBePaidBy(row, payout, clock()),
        needs_two: needsTwoPersons(twoPersonsAbove, payout, row),
      }))
      .toSorted(
        (a, b) => Number(b.is_likely) - Number(a.is_likely) || differencesIn(a.compared) - differencesIn(b.compared),
      )
  }
