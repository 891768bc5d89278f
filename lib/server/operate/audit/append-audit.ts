import type { Tx } from '../../store/types.ts'
import { nextAuditRow, type NewAuditEntry } from './audit-entry.ts'

/** Adds an entry at the end of the chain, with the other changes of a transaction. Call it last: others wait for it. */
export async function appendAudit(tx: Pick<Tx, 'audit' | 'now'>, entry: NewAuditEntry): Promise<void> {
  const last = await tx.audit.lockLast()
  await tx.audit.append(nextAuditRow(last, entry, tx.now))
}
