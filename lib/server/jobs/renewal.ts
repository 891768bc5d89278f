export interface Renewal {
  /** True from the time that `nextIn` gave. */
  isDue(): boolean
  nextIn(ms: number): void
}

/**
 * When a lease is to be renewed, by an instance's own clock. The database's clock runs on where this one is set back
 * (NTP, a virtual machine that is resumed), so then it is due at once, and stays so until `nextIn` is called.
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
