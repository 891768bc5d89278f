/**
 * Tells when nobody has used the console for a while, in any of its tabs. A page that reads by itself would otherwise
 * keep the session of somebody who has left.
 */
const KEY = 'cashier-console-used'
/** A use is stored at most this often. */
const STORE_MS = 5000

export interface IdleWatchOptions {
  readonly idleMs: number
  readonly now: () => number
  /** Shared by the tabs; may throw, where the browser allows none. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem'>
}

export interface IdleWatch {
  /** Somebody pressed a key or a button. */
  use(): void
  isIdle(): boolean
}

export function createIdleWatch({ idleMs, now, storage }: IdleWatchOptions): IdleWatch {
  let lastMs = now()
  let storedMs = -Infinity
  const elsewhereMs = (): number => {
    try {
      const usedMs = Number(storage().getItem(KEY) ?? 0)
      // What is no time, or was written by a clock that was ahead, does not count.
      return usedMs <= now() ? usedMs : 0
    } catch {
      return 0
    }
  }
  return {
    use() {
      lastMs = now()
      if (lastMs - storedMs < STORE_MS) return
      storedMs = lastMs
      try {
        storage().setItem(KEY, String(lastMs))
      } catch {
        // Each tab then counts for itself.
      }
    },
    isIdle: () => now() - Math.max(lastMs, elsewhereMs()) >= idleMs,
  }
}
