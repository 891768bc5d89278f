import type { NewAuditEntry, Tx } from '../../store/types.ts'

/** Adds an entry at the end of the chain, with the other changes of a transaction. Call it last: others wait for it. */
export async function appendAudit(tx: Pick<Tx, 'audit' | 'now'>, entry: NewAuditEntry): Promise<void> {
  await tx.audit.append(entry, tx.now)
}
