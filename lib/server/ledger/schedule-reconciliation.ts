import type { UnitOfWork } from './unit-of-work.ts'

/** How long we wait for a webhook before an open state is looked up in the gateway's list. */
export const RECONCILE_OPEN_AFTER_MS = 15_000

/** Makes reconciliation ask the gateway's list for this user at once: for what is open, or for an event in quarantine. */
export function reconcileAtOnce(
  unit: UnitOfWork,
  user: string | null,
  priority: 'open' | 'quarantined' = 'open',
): void {
  if (user !== null) unit.scheduleReconciliation(user, unit.now, priority)
}

/** Reconciles the user of an open transaction or withdrawal soon, even one who has not been here for long. */
export function scheduleReconciliation(unit: UnitOfWork, user: string | null, isOpen: boolean): void {
  if (user !== null && isOpen) unit.scheduleReconciliation(user, unit.now + RECONCILE_OPEN_AFTER_MS)
}
