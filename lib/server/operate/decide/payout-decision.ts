import type { PayoutDecision, PossibleOwner } from '#lib/contract/operate/decide.ts'
import type { ClockOffset } from '../../ledger/gateway-time.ts'
import { mayBePaidBy } from '../../ledger/payouts/attempts.ts'
import { payoutView } from '../../ledger/payouts/payout-view.ts'
import { merchantWithdrawalView } from '../../ledger/withdrawal-view.ts'
import type { PayoutRow, Store } from '../../store/types.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import type { Actor } from './act.ts'
import { comparePayout, differencesIn } from './compare-payout.ts'
import { canTakePayout, findPayout, ownerGiver } from './give-owner.ts'
import type { Proposals } from './proposals.ts'
import { needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export interface PayoutDecisionOptions {
  /** Each look at a person's data is noted. */
  readonly recordAudit: RecordAudit
  readonly store: Pick<Store, 'withdrawals' | 'payouts' | 'transactions' | 'quarantine'>
  readonly clock: () => number
  readonly clockOffset: () => ClockOffset
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'about'>
}

/** As many of the user's newest withdrawals are compared with the payout. */
const MOST_WITHDRAWALS = 200
const NEWEST = { created_ms: Number.MAX_SAFE_INTEGER, id: '' } as const

/** `GET /api/operate/payouts/{uuid}`. Throws `not_found`. */
export function createPayoutDecision(options: PayoutDecisionOptions) {
  const { store, clock, clockOffset, twoPersonsAbove, proposals, recordAudit } = options

  /** The withdrawals of its user that may take it; first those at which a person must look, then the most alike. */
  const owners = async (payout: PayoutRow): Promise<PossibleOwner[]> => {
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

  return async (actor: Actor, uuid: string): Promise<PayoutDecision> => {
    const payout = await findPayout(store, uuid)
    const { transaction_uuid, user_reference_id } = payout
    const about = { kind: 'payout', id: transaction_uuid, user_reference_id }
    await recordAudit({ operator: actor, action: 'payout.open', about })
    const settled = await ownerGiver(store, payout)
    return {
      payout: payoutView(payout),
      settled: settled && { by: settled.settled_by, at: settled.settled_at },
      tx_hash: (await store.transactions.find('payout', payout.transaction_uuid))?.tx_hash ?? null,
      owners: await owners(payout),
      needs_two: needsTwoPersons(twoPersonsAbove, payout),
      proposal: await proposals.about(actor, ['owner'], payout.transaction_uuid),
    }
  }
}
