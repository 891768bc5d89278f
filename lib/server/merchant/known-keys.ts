import { timingSafeEqual } from 'node:crypto'
import type { ActiveMerchantKey, Store } from '../store/types.ts'
import { readMerchantKey } from './merchant-key.ts'

/** A revoked key ends within a second on all instances: this, and the read. */
const FRESH_MS = 500

export interface KnownKeysDeps {
  readonly keys: Pick<Store['merchantKeys'], 'active'>
  /** Milliseconds by a clock that nobody sets. */
  readonly uptimeMs: () => number
}

interface Read {
  readonly begunMs: number
  readonly keys: Promise<readonly ActiveMerchantKey[]>
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * The keys that were made in the console. All of them are read together and kept for half a second, so that calls cost
 * two reads a second at most, with unknown keys too.
 */
export function createKnownKeys({ keys, uptimeMs }: KnownKeysDeps) {
  let last: Read | null = null

  /** A read that began before `sinceMs` may lack what was revoked since. */
  const readSince = (sinceMs: number): Read => {
    if (last !== null && last.begunMs >= sinceMs) return last
    const read = { begunMs: uptimeMs(), keys: keys.active() }
    read.keys.catch(() => {
      if (last === read) last = null
    })
    return (last = read)
  }

  return {
    /** The active key with this text, compared in constant time; null if there is none. */
    async find(text: string): Promise<ActiveMerchantKey | null> {
      const hash = readMerchantKey(text)
      if (hash === null) return null
      const active = await readSince(uptimeMs() - FRESH_MS).keys
      return active.filter(({ key_hash }) => isSame(key_hash, hash))[0] ?? null
    },

    /** On this instance, a change counts from the next call on. */
    forget(): void {
      last = null
    },
  }
}
