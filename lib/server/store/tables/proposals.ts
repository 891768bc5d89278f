import type { Kysely, Selectable } from 'kysely'
import type { ProposalKind, ProposalOutcome } from '#lib/contract/operate/decide.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { DecisionProposalsTable, Tables } from '../database/schema.ts'

export type ProposalRow = Selectable<DecisionProposalsTable>

/** What an operator adds. */
export type NewProposal = Omit<ProposalRow, 'decided_id' | 'decided_name' | 'decided_ms' | 'outcome' | 'detail'>

/** Who ended a proposal, and how; nobody if its time was over. */
export interface ProposalEnd {
  readonly by: { readonly id: string; readonly name: string } | null
  readonly outcome: ProposalOutcome
  readonly detail?: string | null
  readonly now: number
}

/** Decisions that an operator has proposed, and that wait for a second one. Times are milliseconds since 1970. */
export const proposalsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const undecided = () => db.selectFrom('decision_proposals').selectAll().where('outcome', 'is', null)
  return {
    /** False if another proposal about this subject waits. */
    async add(row: NewProposal): Promise<boolean> {
      const result = await db
        .insertInto('decision_proposals')
        .values({ ...row, decided_id: null, decided_name: null, decided_ms: null, outcome: null, detail: null })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async find(id: string): Promise<ProposalRow | null> {
      const query = db.selectFrom('decision_proposals').selectAll().where('id', '=', id)
      return (await query.executeTakeFirst()) ?? null
    },

    /** Inside a transaction: the proposal, which no other transaction ends meanwhile. */
    async lock(id: string): Promise<ProposalRow | null> {
      const query = db.selectFrom('decision_proposals').selectAll().where('id', '=', id)
      return (await (flavour === 'postgres' ? query.forUpdate() : query).executeTakeFirst()) ?? null
    },

    /** The one about this subject that waits. */
    async waitingAbout(kind: ProposalKind, subject: string): Promise<ProposalRow | null> {
      return (await undecided().where('kind', '=', kind).where('subject', '=', subject).executeTakeFirst()) ?? null
    },

    /** Those that wait, oldest first. */
    async waiting(limit: number): Promise<readonly ProposalRow[]> {
      return undecided().orderBy('proposed_ms').orderBy('id').limit(limit).execute()
    },

    /** Ends one that waits; false if it has ended. */
    async end(id: string, { by, outcome, detail = null, now }: ProposalEnd): Promise<boolean> {
      const result = await db
        .updateTable('decision_proposals')
        .set({ outcome, detail, decided_id: by?.id ?? null, decided_name: by?.name ?? null, decided_ms: now })
        .where('id', '=', id)
        .where('outcome', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    /** Notes what became of one that was confirmed. */
    async finish(id: string, outcome: ProposalOutcome, detail: string | null): Promise<void> {
      await db
        .updateTable('decision_proposals')
        .set({ outcome, detail })
        .where('id', '=', id)
        .where('outcome', '=', 'confirmed')
        .execute()
    },

    /** Ends those whose time is over. */
    async expire(now: number): Promise<void> {
      await db
        .updateTable('decision_proposals')
        .set({ outcome: 'expired', decided_ms: now })
        .where('outcome', 'is', null)
        .where('expires_ms', '<=', now)
        .execute()
    },
  }
}
