import type { PayoutDecision } from '#lib/contract/operate/decide.ts'
import { payoutView } from '../../ledger/payouts/payout-view.ts'
import type { Store } from '../../store/types.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import type { Actor } from './act.ts'
import { findPayout, ownerGiver } from './give-owner.ts'
import { createPossibleOwners, type PossibleOwnersOptions } from './possible-owners.ts'
import type { Proposals } from './proposals.ts'
import { needsTwoPersons } from './two-persons.ts'

export interface PayoutDecisionOptions extends PossibleOwnersOptions {
  /** Each look at a person's data is noted. */
  readonly recordAudit: RecordAudit
  readonly store: Pick<Store, 'withdrawals' | 'payouts' | 'transactions' | 'quarantine'>
  readonly proposals: Pick<Proposals, 'about'>
}

/** `GET /api/operate/payouts/{uuid}`. @throws Problem `not_found` */
export function createPayoutDecision(options: PayoutDecisionOptions) {
  const { store, twoPersonsAbove, proposals, recordAudit } = options
  const possibleOwners = createPossibleOwners(options)

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
      owners: await possibleOwners(payout),
      needs_two: needsTwoPersons(twoPersonsAbove, payout),
      proposal: await proposals.about(actor, ['owner'], payout.transaction_uuid),
    }
  }
}
