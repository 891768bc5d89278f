import type { QuarantineLineReply } from '#lib/contract/operate/decide.ts'
import type { QuarantineReason, Store } from '../../store/types.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import type { Actor } from './act.ts'
import type { Proposals } from './proposals.ts'
import { acknowledgedBy, findLine } from './settle-lines.ts'
import { needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export interface QuarantineLineOptions {
  /** Each look at a person's data is noted. */
  readonly recordAudit: RecordAudit
  readonly store: Pick<Store, 'quarantine' | 'payouts'>
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'about'>
  /** Whether an event with this reason may be applied later. */
  readonly canApply: (reason: QuarantineReason) => boolean
}

/** `GET /api/operate/quarantine/{id}`. Throws `not_found`. */
export const createQuarantineLine =
  ({ store, twoPersonsAbove, proposals, canApply, recordAudit }: QuarantineLineOptions) =>
  async (actor: Actor, id: string): Promise<QuarantineLineReply> => {
    const row = await findLine(store, id)
    const about = { kind: 'quarantine', id, user_reference_id: row.user_reference_id }
    await recordAudit({ operator: actor, action: 'quarantine.open', about })
    const payout = row.settled_ms === null ? await acknowledgedBy(store, row) : null
    return {
      item: {
        id: String(row.id),
        reason: row.reason,
        received_at: new Date(row.received_ms).toISOString(),
        settled_at: row.settled_ms === null ? null : new Date(row.settled_ms).toISOString(),
        settled_by: row.settled_by,
        note: row.note,
      },
      event_text: row.event,
      user_reference_id: row.user_reference_id,
      transaction_uuid: row.transaction_uuid,
      event_name: row.event_name,
      can_apply: row.settled_ms === null && canApply(row.reason),
      acknowledges: payout?.transaction_uuid ?? null,
      needs_two: payout !== null && needsTwoPersons(twoPersonsAbove, payout),
      proposal: payout === null ? null : await proposals.about(actor, ['owner'], payout.transaction_uuid),
    }
  }
