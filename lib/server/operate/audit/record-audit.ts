import type { Store } from '../../store/types.ts'
import { appendAudit } from './append-audit.ts'
import type { NewAuditEntry } from './audit-entry.ts'

/** Adds an entry at the end of the chain, in a transaction of its own: it is on disk before this resolves. */
export type RecordAudit = (entry: NewAuditEntry) => Promise<void>

export const createRecordAudit =
  (store: Pick<Store, 'transaction'>): RecordAudit =>
  (entry) =>
    store.transaction((tx) => appendAudit(tx, entry))
