import type { ActiveMerchantKey, Store } from '../store/types.ts'

/** The last use of a key is stored at most so often. */
const EVERY_MS = 60_000

export interface KeyUsesDeps {
  readonly keys: Pick<Store['merchantKeys'], 'use'>
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

/** Stores when each key was last used; no call waits for it. */
export function createKeyUses({ keys, clock, onFault }: KeyUsesDeps) {
  const noted = new Map<string, number>()
  const storing = new Set<Promise<void>>()

  return {
    note({ id, last_used_ms }: Pick<ActiveMerchantKey, 'id' | 'last_used_ms'>): void {
      const now = clock()
      if (now - Math.max(last_used_ms ?? 0, noted.get(id) ?? 0) < EVERY_MS) return
      noted.set(id, now)
      const stored = keys.use(id, now, now - EVERY_MS).catch(onFault)
      storing.add(stored)
      void stored.finally(() => storing.delete(stored))
    },

    async flush(): Promise<void> {
      await Promise.all(storing)
    },
  }
}
