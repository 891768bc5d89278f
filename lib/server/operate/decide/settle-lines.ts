import type { LineResult, LinesReply, LinesRequest, Proposal } from '#lib/contract/operate/decide.ts'
import type { QuarantineResolution } from '#lib/contract/merchant-requests.ts'
import { isProblem, Problem } from '#lib/contract/problems.ts'
import type { MayDecide } from '../../ledger/payouts/may-decide.ts'
import type { PayoutRow, QuarantineRow, Decider, Store } from '../../store/types.ts'
import { conflictWith, settledByOf, type Actor, type Audited, type Settled } from './act.ts'
import type { Proposals } from './proposals.ts'
import { byOnePerson, needsTwoPersons, type AmountsByCode } from './two-persons.ts'

export type LineAction = QuarantineResolution['action']

export interface SettleLinesOptions {
  readonly store: Pick<Store, 'quarantine' | 'payouts'>
  readonly clock: () => number
  readonly audited: Audited
  /** `TWO_PERSONS_ABOVE`. */
  readonly twoPersonsAbove: AmountsByCode
  readonly proposals: Pick<Proposals, 'propose'>
  /** The merchant's use case: the outcome is `applied`, `seen`, `dismissed`, or the reason that remains. */
  readonly resolve: (
    id: string,
    resolution: QuarantineResolution,
    by: Decider,
    mayDecide: MayDecide,
  ) => Promise<{ readonly outcome: string }>
  /** Called with what went wrong with one line, although the others go on. */
  readonly onFault: (error: unknown, id: string) => void
}

/** The payout of the line, if nobody owns it: dismissing the line acknowledges it. */
export async function acknowledgedBy(
  store: Pick<Store, 'payouts'>,
  { reason, transaction_uuid }: Pick<QuarantineRow, 'reason' | 'transaction_uuid'>,
): Promise<PayoutRow | null> {
  if (reason !== 'unmatched_payout' || transaction_uuid === null) return null
  const payout = await store.payouts.find(transaction_uuid)
  return payout?.owner === null ? payout : null
}

/** Who settled a line, and when; null while it is open. */
const lineSettler = ({ settled_by, settled_ms }: QuarantineRow): Settled | null =>
  settled_by === null || settled_ms === null ? null : { settled_by, settled_at: new Date(settled_ms).toISOString() }

/** @throws Problem `not_found` */
export async function findLine(store: Pick<Store, 'quarantine'>, id: string): Promise<QuarantineRow> {
  const row = /^\d{1,15}$/.test(id) ? await store.quarantine.find(Number(id)) : null
  if (row === null) throw new Problem('not_found', 'There is no such event in quarantine.')
  return row
}

const NOTHING = { reason: null, detail: null, settled_by: null, settled_at: null } as const
const SETTLED: ReadonlySet<string> = new Set(['applied', 'seen', 'list_conflict', 'contradiction'])

/**
 * `POST /api/operate/quarantine/applications` and `…/dismissals`: a person settles lines, one after the other; each has
 * its own result. A dismissal that acknowledges a payout moves money from a question to an answer: it needs a fresh
 * passkey touch.
 * @throws Problem `fresh_passkey_required` before anything is done
 */
export function createSettleLines(options: SettleLinesOptions) {
  const { store, clock, audited, twoPersonsAbove, proposals, resolve, onFault } = options

  const propose = (actor: Actor, payout: PayoutRow, reason: string): Promise<Proposal> => {
    const { transaction_uuid, user_reference_id, currency_code, amount } = payout
    const content = { withdrawal_id: null, transaction_uuid, amount, currency_code }
    return proposals.propose(actor, { kind: 'owner', subject: transaction_uuid, user_reference_id, content, reason })
  }

  const settleOne = async (actor: Actor, id: string, action: LineAction, reason: string): Promise<LineResult> => {
    const row = await findLine(store, id)
    const settled = lineSettler(row)
    if (settled !== null) throw conflictWith(settled, 'This event is already settled.')
    const payout = action === 'dismiss' ? await acknowledgedBy(store, row) : null
    if (payout !== null && needsTwoPersons(twoPersonsAbove, payout)) {
      await propose(actor, payout, reason)
      return { id, result: 'proposed', ...NOTHING }
    }
    const about = { kind: 'quarantine', id, user_reference_id: row.user_reference_id }
    const detail = { reason: row.reason, transaction_uuid: row.transaction_uuid }
    const entry = { operator: actor, action: `quarantine.${action}`, about, reason, detail }
    const { outcome } = await audited(entry, () =>
      resolve(id, { action, note: reason }, settledByOf(actor), byOnePerson(twoPersonsAbove)),
    )
    if (outcome === 'dismissed') return { id, result: 'dismissed', ...NOTHING }
    return SETTLED.has(outcome)
      ? { id, result: 'applied', ...NOTHING }
      : { id, result: 'still_open', ...NOTHING, reason: outcome }
  }

  const failed = async (id: string, error: unknown): Promise<LineResult> => {
    if (!isProblem(error)) {
      onFault(error, id)
      return { id, result: 'failed', ...NOTHING, detail: 'Something went wrong on our side. Try this one again.' }
    }
    const { settled_by = null, settled_at = null } = error.extras
    const told =
      settled_by === null ? await store.quarantine.find(Number(id)).then((row) => row && lineSettler(row)) : null
    const winner = told === null ? { settled_by, settled_at } : told
    return { id, result: 'failed', ...NOTHING, detail: error.detail, ...winner }
  }

  return async (
    /** Until `freshUntilMs` no further passkey touch is needed. */
    actor: Actor & { readonly freshUntilMs: number },
    action: LineAction,
    { ids, reason }: Pick<LinesRequest, 'reason'> & { readonly ids: readonly string[] },
  ): Promise<LinesReply> => {
    if (actor.freshUntilMs <= clock())
      for (const id of ids)
        if ((await acknowledgedBy(store, await findLine(store, id))) !== null)
          throw new Problem('fresh_passkey_required', 'Use your passkey again, then repeat.')
    const results: LineResult[] = []
    for (const id of ids)
      results.push(await settleOne(actor, id, action, reason).catch((error: unknown) => failed(id, error)))
    return { results }
  }
}
