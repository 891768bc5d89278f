import type { StoredSession } from '../store/types.ts'

export interface SessionLimits {
  /** A session ends after this time without use. */
  readonly idleMs: number
  /** A session ends at this age, counted from the merchant's call. */
  readonly maxMs: number
}

/** The time between two stored uses; shorter if the idle time is short. */
const TOUCH_MS = 30_000

/** True while a launched session may be used. */
export const isAlive = (
  { session, launched_ms, ended_ms }: StoredSession,
  limits: SessionLimits,
  now: number,
): boolean =>
  launched_ms !== null &&
  ended_ms === null &&
  now < session.last_used_ms + limits.idleMs &&
  now < session.created_ms + limits.maxMs

/** True if the use of a session must be stored again. */
export const isTouchDue = (lastUsedMs: number, limits: SessionLimits, now: number): boolean =>
  now - lastUsedMs >= Math.min(TOUCH_MS, limits.idleMs / 4)
