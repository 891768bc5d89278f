/**
 * Which Idempotency-Key a withdrawal request has until its outcome was shown. All tabs of a session share them, and a
 * page that is loaded again finds them, so that one request cannot go out under two keys.
 */

export interface KeptKey {
  readonly key: string
  /** The request as text. */
  readonly content: string
  /** Empty until there is one. */
  readonly withdrawalId: string
  readonly atMs: number
}

export interface WithdrawalKeysOptions {
  /** Called each time, since a browser that denies storage throws at the mere access; then this page alone has them. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly sessionId: string
  readonly clock: () => number
}

const NAME = 'cashier.withdrawal-keys'

/** Longer than a session lasts. */
const KEEP_MS = 86_400_000

interface StoredKey extends KeptKey {
  readonly sessionId: string
}

export function createWithdrawalKeys({ storage, sessionId, clock }: WithdrawalKeysOptions) {
  /** First in order: a review goes on under its key although another tab has shown the outcome. */
  const here = new Map<string, KeptKey>()

  const stored = (): readonly StoredKey[] => {
    try {
      return readStored(storage().getItem(NAME)).filter(({ atMs }) => clock() - atMs < KEEP_MS)
    } catch {
      return []
    }
  }

  const write = (keys: readonly StoredKey[]): void => {
    try {
      if (keys.length === 0) storage().removeItem(NAME)
      else storage().setItem(NAME, JSON.stringify(keys.map((one) => [one.sessionId, ...partsOf(one)])))
    } catch {
      // Kept in memory.
    }
  }

  return {
    find: (content: string): KeptKey | null =>
      here.get(content) ?? stored().find((one) => one.sessionId === sessionId && one.content === content) ?? null,

    keep(kept: KeptKey): void {
      here.set(kept.content, kept)
      write([...stored().filter(({ key }) => key !== kept.key), { ...kept, sessionId }])
    },

    /** The outcome of this withdrawal was shown: the same request made once more is another withdrawal. */
    release(withdrawalId: string): void {
      const ids = [...here.values(), ...stored()].filter((one) => one.withdrawalId === withdrawalId)
      const released = new Set(ids.map(({ key }) => key))
      for (const [content, { key }] of here) if (released.has(key)) here.delete(content)
      if (released.size > 0) write(stored().filter(({ key }) => !released.has(key)))
    },
  }
}

const partsOf = ({ key, content, withdrawalId, atMs }: KeptKey) => [key, content, withdrawalId, atMs] as const

/** Read by hand: a schema library would be part of the first load of the screen. */
function readStored(text: string | null): StoredKey[] {
  const parsed: unknown = JSON.parse(text ?? '[]')
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((one: unknown) => {
    if (!Array.isArray(one) || one.length !== 5) return []
    const [sessionId, key, content, withdrawalId, atMs] = one as unknown[]
    return typeof sessionId === 'string' &&
      typeof key === 'string' &&
      typeof content === 'string' &&
      typeof withdrawalId === 'string' &&
      typeof atMs === 'number'
      ? [{ sessionId, key, content, withdrawalId, atMs }]
      : []
  })
}
