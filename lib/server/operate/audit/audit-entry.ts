/** What is stored of an act: who, what, about whom, why. The store chains the entries by their hashes. */
export type { AuditSubject, NewAuditEntry } from '../../store/types.ts'
