import type { UnitOfWork } from './unit-of-work.ts'

/** How long we wait for a webhook before an open state is looked up in the gateway's list. */
export const RECONCILE_OPEN_AFTER_MS = 15_000

/** Makes reconciliation read this user's list at once: for an open state, or for an event in quarantine. */
export function reconcileAtOnce(
  unit: UnitOfWork,
  user: string | null,
  priority: 'open' | 'quarantined' = 'open',
): void {
  if (user !== null) unit.scheduleReconciliation(user, unit.now, priority)
}

/** Schedules the user of an open transaction or withdrawal for reconciliation soon, even after a long absence. */
export function scheduleReconciliation(unit: UnitOfWork, user: string | null, isOpen: boolean): void {
  if (user !== null && isOpen) unit.scheduleReconciliation(user, unit.now + RECONCILE_OPEN_AFTER_MS)
}
