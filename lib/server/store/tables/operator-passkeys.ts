import type { Kysely, Selectable } from 'kysely'
import type { OperatorPasskeysTable, Tables } from '../database/schema.ts'

export type PasskeyRow = Selectable<OperatorPasskeysTable>

/** The passkeys of operators, and the challenges that were used. Times are milliseconds since 1970. */
export const operatorPasskeysOf = (db: Kysely<Tables>) => {
  /** Those that may be used. */
  const valid = () => db.selectFrom('operator_passkeys').selectAll().where('revoked_ms', 'is', null)
  return {
    async findPasskey(credentialId: string): Promise<PasskeyRow | null> {
      return (await valid().where('credential_id', '=', credentialId).executeTakeFirst()) ?? null
    },

    /** The valid passkeys of an operator, or of all; oldest first. */
    async listPasskeys(operatorId: string | null): Promise<readonly PasskeyRow[]> {
      const query = valid().orderBy('created_ms').orderBy('id')
      return (operatorId === null ? query : query.where('operator_id', '=', operatorId)).execute()
    },

    /** False if the credential is known already. */
    async addPasskey(row: PasskeyRow): Promise<boolean> {
      const added = await db
        .insertInto('operator_passkeys')
        .values(row)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    /** Stores a use. False if the passkey was revoked or used since it was read. @param counter of the authenticator */
    async usePasskey({ id, counter: before }: PasskeyRow, counter: number, now: number): Promise<boolean> {
      const used = await db
        .updateTable('operator_passkeys')
        .set({ counter, last_used_ms: now })
        .where('id', '=', id)
        .where('revoked_ms', 'is', null)
        .where('counter', '=', before)
        .executeTakeFirst()
      return used.numUpdatedRows > 0n
    },

    /** False if the operator has no such valid passkey. */
    async revokePasskey(id: string, operatorId: string, now: number): Promise<boolean> {
      const revoked = await db
        .updateTable('operator_passkeys')
        .set({ revoked_ms: now })
        .where('id', '=', id)
        .where('operator_id', '=', operatorId)
        .where('revoked_ms', 'is', null)
        .executeTakeFirst()
      return revoked.numUpdatedRows > 0n
    },

    /** Uses up a challenge, and forgets those that are over. False if it was used before. */
    async useChallenge(challenge: string, expires_ms: number, now: number): Promise<boolean> {
      await db.deleteFrom('operator_challenges').where('expires_ms', '<=', now).execute()
      const used = await db
        .insertInto('operator_challenges')
        .values({ challenge, expires_ms })
        .onConflict((conflict) => conflict.column('challenge').doNothing())
        .executeTakeFirst()
      return (used.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
  }
}
