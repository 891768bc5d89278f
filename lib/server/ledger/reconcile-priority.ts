/**
 * Which users reconciliation asks for first (docs/explanation/money.md, "Reconciliation"). Users with an `unknown`
 * withdrawal come before all of these; they are found by that withdrawal.
 */
export const RECONCILE_PRIORITY = { open: 1, quarantined: 2, sweep: 3 } as const

export type ReconcilePriority = keyof typeof RECONCILE_PRIORITY

export const RECONCILE_PRIORITIES = Object.keys(RECONCILE_PRIORITY) as readonly ReconcilePriority[]
