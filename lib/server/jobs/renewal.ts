export interface Renewal {
  /** True from the time that `nextIn` gave. */
  isDue(): boolean
  nextIn(ms: number): void
}

/**
 * When something is to be done again, by an instance's own clock. The database's clock runs on where this one is set
 * back (NTP, a virtual machine that is resumed), and a lease with it, so then it is due at once, and stays so until
 * `nextIn` is called.
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
