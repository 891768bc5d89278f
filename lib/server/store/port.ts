/** The store as other rooms see it. `store.ts` implements it; nobody else imports Kysely. */
export type { Store, Tx, Reader } from './store.ts'
export type { CashierSession, LaunchOutcome, Looks, NewSession, StoredSession } from './sessions.ts'
export type { StoredMerchantEvent, StoredStreamEvent } from './events.ts'
export { OPEN_STATES } from './open-states.ts'
export type { CommitSignals } from './commit-signals.ts'
export type { DueDelivery } from './deliveries.ts'
