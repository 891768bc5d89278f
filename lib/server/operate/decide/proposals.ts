/** The rule of two persons: one proposes, another confirms within a day. */
import type { Proposal, ProposalKind, ProposalsReply } from '#lib/contract/operate/decide.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { isProblem, Problem } from '#lib/contract/problems.ts'
import type { MayDecide } from '../../ledger/payouts/may-decide.ts'
import type { PayoutRow, ProposalRow, Reader, Decider, Store, Tx } from '../../store/types.ts'
import { conflictWith, settledByOf, type Actor, type Audited } from './act.ts'
import { contentOf, contentText, subjectState, type ProposalContent } from './proposal-content.ts'
import { byTwoPersons } from './two-persons.ts'

const EXPIRES_MS = 86_400_000
/** On one page. */
const MOST_WAITING = 200

/** Does what a confirmed proposal says; throws a `Problem` if the books no longer allow it. */
export type ConfirmedAct = (
  content: ProposalContent,
  note: string,
  by: Decider,
  mayDecide: MayDecide,
) => Promise<unknown>

export interface ProposalsOptions {
  readonly store: Store
  readonly clock: () => number
  readonly newId: () => string
  readonly audited: Audited
  readonly acts: Readonly<Record<ProposalKind, ConfirmedAct>>
}

/** A decision that needs a second person. */
export interface ProposalDraft {
  readonly kind: ProposalKind
  readonly subject: string
  readonly user_reference_id: string
  readonly content: ProposalContent
  readonly reason: string
}

const iso = (ms: number): string => new Date(ms).toISOString()

function viewOf(row: ProposalRow, actor: Actor, isVoid: boolean): Proposal {
  const { withdrawal_id, transaction_uuid, amount, currency_code } = contentOf(row)
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    user_reference_id: row.user_reference_id,
    withdrawal_id,
    transaction_uuid,
    amount,
    currency_code,
    reason: row.reason,
    proposed_by: row.proposed_name,
    proposed_at: iso(row.proposed_ms),
    expires_at: iso(row.expires_ms),
    is_own: row.proposed_id === actor.id,
    is_void: isVoid,
    outcome: row.outcome,
    decided_by: row.decided_name,
    decided_at: row.decided_ms === null ? null : iso(row.decided_ms),
    detail: row.detail,
  }
}

const ABOUT: Readonly<Record<ProposalKind, string>> = { not_sent: 'withdrawal', sent: 'withdrawal', owner: 'payout' }

const conflict = (detail: string): Problem => new Problem('conflict', detail)

const waitsAlready = ({ proposed_name, proposed_ms }: ProposalRow): Problem =>
  conflictWith(
    { settled_by: settledByOf({ name: proposed_name }), settled_at: iso(proposed_ms) },
    'A proposal about this waits already; confirm or refuse that one.',
  )

function hasEnded({ outcome, decided_name, decided_ms }: ProposalRow): Problem {
  const why = `This proposal has ended: ${outcome ?? ''}.`
  if (decided_name === null || decided_ms === null) return conflict(why)
  return conflictWith({ settled_by: settledByOf({ name: decided_name }), settled_at: iso(decided_ms) }, why)
}

export function createProposals({ store, clock, newId, audited, acts }: ProposalsOptions) {
  type Books = Pick<Reader, 'withdrawals' | 'payouts' | 'operators'>

  const mayStillPropose = async ({ operators }: Books, { proposed_id }: ProposalRow): Promise<boolean> => {
    const proposer = await operators.find(proposed_id)
    return proposer !== null && proposer.disabled_ms === null && mayActAs(proposer.role, 'agent')
  }

  /** Whether its subject has changed since, or its proposer may decide no longer. */
  const isVoid = async (reader: Books, row: ProposalRow): Promise<boolean> =>
    row.outcome === null &&
    ((await subjectState(reader, row.kind, contentOf(row))) !== row.subject_state ||
      !(await mayStillPropose(reader, row)))

  const shown = async (row: ProposalRow, actor: Actor): Promise<Proposal> =>
    viewOf(row, actor, await isVoid(store, row))

  const find = async (id: string): Promise<ProposalRow> => {
    const row = await store.proposals.find(id)
    if (row === null) throw new Problem('not_found', 'There is no such proposal.')
    return row
  }

  /** Removes what may no longer be confirmed, so that it can be proposed again. */
  const clear = async (tx: Tx, kind: ProposalKind, subject: string): Promise<void> => {
    await tx.proposals.expire(clock())
    const waiting = await tx.proposals.waitingAbout(kind, subject)
    if (waiting !== null && (await isVoid(tx, waiting)))
      await tx.proposals.end(waiting.id, { by: null, outcome: 'void', now: clock() })
  }

  /** Stores the proposal. @throws Problem `conflict` if another one about the subject waits */
  const propose = (
    actor: Actor,
    { kind, subject, user_reference_id, content, reason }: ProposalDraft,
  ): Promise<Proposal> => {
    const about = { kind: ABOUT[kind], id: subject, user_reference_id }
    const entry = { operator: actor, action: `${ABOUT[kind]}.propose`, about, reason, detail: { kind, ...content } }
    return audited(entry, async () => {
      const id = newId()
      const added = await store.transaction(async (tx) => {
        await clear(tx, kind, subject)
        const now = clock()
        return tx.proposals.add({
          id,
          kind,
          subject,
          user_reference_id,
          content: contentText(content),
          subject_state: await subjectState(tx, kind, content),
          reason,
          proposed_id: actor.id,
          proposed_name: actor.name,
          proposed_ms: now,
          expires_ms: now + EXPIRES_MS,
        })
      })
      if (added) return shown(await find(id), actor)
      const other = await store.proposals.waitingAbout(kind, subject)
      throw other === null ? conflict('Another proposal about this has just ended. Look again.') : waitsAlready(other)
    })
  }

  /**
   * Claims the proposal for this second person, and returns its payout as both saw it; a `Problem` if that cannot be,
   * although what was found is stored.
   */
  const claim = async (tx: Tx, actor: Actor, id: string): Promise<Problem | { readonly payout: PayoutRow | null }> => {
    const row = await tx.proposals.lock(id)
    if (row === null) return new Problem('not_found', 'There is no such proposal.')
    if (row.outcome !== null) return hasEnded(row)
    if (row.proposed_id === actor.id) return conflict('You have proposed it: a second person must confirm it.')
    const now = clock()
    if (row.expires_ms <= now) {
      await tx.proposals.end(id, { by: null, outcome: 'expired', now })
      return conflict('The proposal was not confirmed within a day. It must be made again.')
    }
    if (await isVoid(tx, row)) {
      await tx.proposals.end(id, { by: null, outcome: 'void', now })
      return conflict(
        'What the proposal is about has changed since, or who proposed it may decide no longer. It must be made again.',
      )
    }
    await tx.proposals.end(id, { by: actor, outcome: 'confirmed', now })
    const { transaction_uuid } = contentOf(row)
    return { payout: transaction_uuid === null ? null : await tx.payouts.find(transaction_uuid) }
  }

  const act = async (actor: Actor, row: ProposalRow, seen: PayoutRow | null): Promise<void> => {
    const note = `${row.reason} (proposed by ${row.proposed_name})`
    try {
      await acts[row.kind](contentOf(row), note, settledByOf(actor), byTwoPersons(seen))
    } catch (error) {
      // Of other errors nobody knows whether the act was done: the proposal stays `confirmed`.
      if (isProblem(error)) await store.proposals.finish(row.id, 'failed', error.detail)
      throw error
    }
    await store.proposals.finish(row.id, 'done', null)
  }

  const entryOf = (actor: Actor, verb: string, row: ProposalRow, reason: string) => ({
    operator: actor,
    action: `${ABOUT[row.kind]}.${verb}`,
    about: { kind: ABOUT[row.kind], id: row.subject, user_reference_id: row.user_reference_id },
    reason,
    detail: { proposal: row.id, kind: row.kind, proposed_by: row.proposed_name, ...contentOf(row) },
  })

  return {
    propose,

    /** Those that wait, oldest first. */
    async list(actor: Actor): Promise<ProposalsReply> {
      await store.proposals.expire(clock())
      const rows = await store.proposals.waiting(MOST_WAITING)
      return { proposals: await Promise.all(rows.map((row) => shown(row, actor))) }
    },

    /** The one about this subject that waits. */
    async about(actor: Actor, kinds: readonly ProposalKind[], subject: string): Promise<Proposal | null> {
      for (const kind of kinds) {
        const row = await store.proposals.waitingAbout(kind, subject)
        if (row !== null && row.expires_ms > clock()) return shown(row, actor)
      }
      return null
    },

    /**
     * A second person confirms: the act is done.
     * @throws Problem `not_found`, `role_required`, or `conflict` for the proposer, for a proposal that has ended,
     * expired or is void, and where the books refuse the act
     */
    async confirm(actor: Actor, id: string, reason: string): Promise<Proposal> {
      if (!mayActAs(actor.role, 'agent')) throw new Problem('role_required', 'This needs the role agent.')
      const row = await find(id)
      return audited(entryOf(actor, 'confirm', row, reason), async () => {
        const claimed = await store.transaction((tx) => claim(tx, actor, id))
        if (isProblem(claimed)) throw claimed
        await act(actor, row, claimed.payout)
        return shown(await find(id), actor)
      })
    },

    /**
     * Ends it without the act; its proposer withdraws it so.
     * @throws Problem `not_found`, `role_required`, `conflict`
     */
    async refuse(actor: Actor, id: string, reason: string): Promise<Proposal> {
      if (!mayActAs(actor.role, 'agent')) throw new Problem('role_required', 'This needs the role agent.')
      const row = await find(id)
      return audited(entryOf(actor, 'refuse', row, reason), async () => {
        const outcome = row.proposed_id === actor.id ? 'withdrawn' : 'refused'
        const ended = await store.proposals.end(id, { by: actor, outcome, detail: reason, now: clock() })
        const after = await find(id)
        if (!ended) throw hasEnded(after)
        return shown(after, actor)
      })
    },
  }
}

export type Proposals = ReturnType<typeof createProposals>
