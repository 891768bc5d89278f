import type { Kysely, Selectable } from 'kysely'
import type { OperatorInvitationsTable, Tables } from '../database/schema.ts'

export type InvitationRow = Selectable<OperatorInvitationsTable>

/** Invitations that nobody has accepted yet. Times are milliseconds since 1970. */
export const operatorInvitationsOf = (db: Kysely<Tables>) => ({
  /** Stores an invitation in place of the operator's earlier one, and forgets those that are over. */
  async invite(row: InvitationRow, now: number): Promise<void> {
    await db
      .deleteFrom('operator_invitations')
      .where((where) => where.or([where('operator_id', '=', row.operator_id), where('expires_ms', '<=', now)]))
      .execute()
    await db.insertInto('operator_invitations').values(row).execute()
  },

  /** Null if there is none, it is over, or it was accepted. */
  async findInvitation(hash: string, now: number): Promise<InvitationRow | null> {
    const query = db.selectFrom('operator_invitations').selectAll().where('token_hash', '=', hash)
    return (await query.where('expires_ms', '>', now).executeTakeFirst()) ?? null
  },

  /** Uses up an invitation; of several callers at once, one gets true. */
  async useInvitation(hash: string, now: number): Promise<boolean> {
    const query = db.deleteFrom('operator_invitations').where('token_hash', '=', hash)
    return (await query.where('expires_ms', '>', now).executeTakeFirst()).numDeletedRows > 0n
  },

  async listInvitations(now: number): Promise<readonly InvitationRow[]> {
    return db.selectFrom('operator_invitations').selectAll().where('expires_ms', '>', now).execute()
  },

  async withdrawInvitation(operatorId: string): Promise<void> {
    await db.deleteFrom('operator_invitations').where('operator_id', '=', operatorId).execute()
  },
})
