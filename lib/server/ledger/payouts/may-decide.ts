import type { NamedCurrency } from '../compare.ts'
import type { PayoutRow } from '../rows.ts'

/**
 * Throws a `Problem` if a person may not decide about this payout as it is in the commit or the list that decides:
 * its amount may have changed since the person looked.
 */
export type MayDecide = (payout: NamedCurrency & Pick<PayoutRow, 'amount'>) => void

export const anyPayout: MayDecide = () => undefined
