import { OPEN_STATES } from '../store/port.ts'
import type { Tx } from '../store/port.ts'

/** How long a webhook has, before a state that is open is looked for in the list. */
export const COMPARE_OPEN_AFTER_MS = 15_000

/** Whoever has something open is compared soon, also a user who has not been here for long. */
export async function watchOpen(tx: Tx, user: string | null, status: string): Promise<void> {
  if (user !== null && OPEN_STATES.includes(status)) await tx.users.wantReconcile(user, tx.now + COMPARE_OPEN_AFTER_MS)
}
