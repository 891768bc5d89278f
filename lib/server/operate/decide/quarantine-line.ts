import * as z from 'zod/mini'
import { lineTotals, type QuarantineLineReply } from '#lib/contract/operate/decide.ts'
import type { Story } from '#lib/contract/operate/story.ts'
import { isProblem } from '#lib/contract/problems.ts'
import type { QuarantineReason, QuarantineRow, Store } from '../../store/types.ts'
import type { RecordAudit } from '../audit/record-audit.ts'
import { isEventLine } from '../story/told.ts'
import type { Actor } from './act.ts'
import { createPossibleOwners, type PossibleOwnersOptions } from './possible-owners.ts'
import type { Proposals } from './proposals.ts'
import { acknowledgedBy, findLine } from './settle-lines.ts'
import { needsTwoPersons } from './two-persons.ts'

export interface QuarantineLineOptions extends PossibleOwnersOptions {
  /** Each look at a person's data is noted. */
  readonly recordAudit: RecordAudit
  readonly store: Pick<Store, 'quarantine' | 'payouts' | 'withdrawals' | 'audit'>
  /** Each throws `not_found`. */
  readonly stories: {
    readonly transactionStory: (uuid: string) => Promise<Story>
    readonly withdrawalStory: (id: string) => Promise<Story>
  }
  readonly proposals: Pick<Proposals, 'about'>
  /** Whether an event with this reason may be applied later. */
  readonly canApply: (reason: QuarantineReason) => boolean
}

const MOST_OWNERS = 5
const MOST_ACTS = 50

const DID: ReadonlyMap<string, NonNullable<QuarantineLineReply['settled_how']>> = new Map([
  ['quarantine.apply', 'applied'],
  ['quarantine.dismiss', 'dismissed'],
])

const ofWithdrawal = z.object({ withdrawal_id: z.string() })

/** The withdrawal that a report of the cashier names. */
const withdrawalIn = (row: QuarantineRow): string | null =>
  isEventLine(row) ? null : (ofWithdrawal.safeParse(JSON.parse(row.event)).data?.withdrawal_id ?? null)

/** Lines about a user's list or totals have a subject of several words. */
const transactionIn = ({ transaction_uuid: subject }: QuarantineRow): string | null =>
  subject === null || subject.includes(' ') ? null : subject

/** `GET /api/operate/quarantine/{id}`. @throws Problem `not_found` */
export const createQuarantineLine = (options: QuarantineLineOptions) => {
  const { store, twoPersonsAbove, proposals, canApply, recordAudit, stories } = options
  const possibleOwners = createPossibleOwners(options)

  /** What is stored of the line's withdrawal or transaction; null if nothing is, such as after an erasure. */
  const subjectOf = async (row: QuarantineRow): Promise<QuarantineLineReply['subject']> => {
    const [withdrawal, uuid] = [withdrawalIn(row), transactionIn(row)]
    if (withdrawal === null && uuid === null) return null
    try {
      const story =
        withdrawal === null ? await stories.transactionStory(uuid ?? '') : await stories.withdrawalStory(withdrawal)
      const { transactions, withdrawal_id, comparisons } = story
      return { transactions, withdrawal_id, comparisons }
    } catch (error) {
      if (isProblem(error) && error.code === 'not_found') return null
      throw error
    }
  }

  /** A line does not say it; the audit log does. */
  const howSettled = async ({ id, settled_by }: QuarantineRow): Promise<QuarantineLineReply['settled_how']> => {
    if (settled_by?.startsWith('operator:') !== true) return null
    const acts = await store.audit.page(null, MOST_ACTS, { about: String(id) })
    const done = acts.find(
      ({ about_kind, action, ended }) => about_kind === 'quarantine' && DID.has(action) && ended === 'done',
    )
    return DID.get(done?.action ?? '') ?? null
  }

  return async (actor: Actor, id: string): Promise<QuarantineLineReply> => {
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
      settled_how: await howSettled(row),
      event_text: row.event,
      is_event: isEventLine(row),
      subject: await subjectOf(row),
      totals: row.reason === 'totals_differ' ? (lineTotals.safeParse(JSON.parse(row.event)).data ?? null) : null,
      owners: payout === null ? [] : (await possibleOwners(payout)).slice(0, MOST_OWNERS),
      user_reference_id: row.user_reference_id,
      transaction_uuid: row.transaction_uuid,
      event_name: row.event_name,
      can_apply: row.settled_ms === null && canApply(row.reason),
      acknowledges: payout?.transaction_uuid ?? null,
      needs_two: payout !== null && needsTwoPersons(twoPersonsAbove, payout),
      proposal: payout === null ? null : await proposals.about(actor, ['owner'], payout.transaction_uuid),
    }
  }
}
