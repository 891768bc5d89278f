/** The store as other rooms see it. `store.ts` implements it; nobody else imports Kysely. */
export type { Store, Tx, Reader } from './store.ts'
export type { CashierSession, NewSession, LaunchOutcome } from './sessions.ts'
