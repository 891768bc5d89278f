export interface Renewal {
  /** True until `nextIn` is called for the first time, and again after its time has passed. */
  isDue(): boolean
  nextIn(ms: number): void
}

/**
 * When a task is due again, by the instance's own clock. If that clock is set back (NTP, a resumed virtual machine),
 * the database's clock continues, and so do its leases: the task is then due at once, until `nextIn` is called.
 */
export function createRenewal(clock: () => number): Renewal {
  let seenMs = -Infinity
  let dueMs = -Infinity
  const now = (): number => {
    const nowMs = clock()
    if (nowMs < seenMs) dueMs = -Infinity
    seenMs = nowMs
    return nowMs
  }
  return {
    isDue: () => now() >= dueMs,
    nextIn(ms) {
      dueMs = now() + ms
    },
  }
}
