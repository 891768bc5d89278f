import type { Tx } from '../store/port.ts'

/** How long we wait for a webhook before an open state is looked up in the gateway's list. */
export const RECONCILE_OPEN_AFTER_MS = 15_000

/** Makes reconciliation ask the gateway's list for this user at once: for what is open, or for an event in quarantine. */
export async function reconcileAtOnce(
  tx: Tx,
  user: string | null,
  priority: 'open' | 'quarantined' = 'open',
): Promise<void> {
  if (user !== null) await tx.users.scheduleReconciliation(user, tx.now, priority)
}

/** Reconciles the user of an open transaction or withdrawal soon, even one who has not been here for long. */
export async function scheduleReconciliation(tx: Tx, user: string | null, isOpen: boolean): Promise<void> {
  if (user !== null && isOpen) await tx.users.scheduleReconciliation(user, tx.now + RECONCILE_OPEN_AFTER_MS)
}
