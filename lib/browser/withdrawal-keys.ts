/**
 * Which Idempotency-Key a withdrawal request has until its outcome was shown, and what was requested a moment ago. All
 * tabs of a session share it, and a page that is loaded again finds it, so that one request cannot go out under two keys.
 */

export interface KeptKey {
  readonly key: string
  /** The request as text. */
  readonly content: string
  /** Empty until there is one. */
  readonly withdrawalId: string
  readonly atMs: number
  /** The outcome was shown: the same request made once more is another withdrawal. */
  readonly shown: boolean
}

export interface WithdrawalKeysOptions {
  /** Called each time, since a browser that denies storage throws at the mere access; then this page alone has them. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly sessionId: string
  readonly clock: () => number
}

const NAME = 'cashier.withdrawal-keys'

/** Longer than a session lasts; and longer than a review looks back for the same withdrawal. */
const KEEP_MS = 86_400_000
const KEEP_SHOWN_MS = 300_000

interface StoredKey extends KeptKey {
  readonly sessionId: string
}

export function createWithdrawalKeys({ storage, sessionId, clock }: WithdrawalKeysOptions) {
  /** By key. What this page knows comes first: its review keeps a key whose outcome another tab has shown. */
  const here = new Map<string, KeptKey>()

  const stored = (): readonly StoredKey[] => {
    try {
      return readStored(storage().getItem(NAME)).filter(
        ({ atMs, shown }) => clock() - atMs < (shown ? KEEP_SHOWN_MS : KEEP_MS),
      )
    } catch {
      return []
    }
  }

  const all = (): readonly KeptKey[] => [
    ...here.values(),
    ...stored().filter((one) => one.sessionId === sessionId && !here.has(one.key)),
  ]

  const keep = (kept: KeptKey): void => {
    here.set(kept.key, kept)
    const others = stored().filter(({ key }) => key !== kept.key)
    try {
      storage().setItem(NAME, JSON.stringify([...others, { ...kept, sessionId }].map(partsOf)))
    } catch {
      // Kept in memory.
    }
  }

  return {
    keep,

    find: (content: string): KeptKey | null => all().find((one) => one.content === content && !one.shown) ?? null,

    /** Those with a withdrawal, by this page and by others. */
    recorded: (): readonly KeptKey[] => all().filter(({ withdrawalId }) => withdrawalId !== ''),

    /** The outcome of this withdrawal is on the screen. */
    show(withdrawalId: string): void {
      for (const one of all()) if (one.withdrawalId === withdrawalId && !one.shown) keep({ ...one, shown: true })
    },
  }
}

const partsOf = ({ sessionId, key, content, withdrawalId, atMs, shown }: StoredKey) =>
  [sessionId, key, content, withdrawalId, atMs, shown] as const

/** Read by hand: a schema library would be part of the first load of the screen. */
function readStored(text: string | null): StoredKey[] {
  const parsed: unknown = JSON.parse(text ?? '[]')
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((one: unknown) => {
    if (!Array.isArray(one) || one.length !== 6) return []
    const [sessionId, key, content, withdrawalId, atMs, shown] = one as unknown[]
    return typeof sessionId === 'string' &&
      typeof key === 'string' &&
      typeof content === 'string' &&
      typeof withdrawalId === 'string' &&
      typeof atMs === 'number' &&
      typeof shown === 'boolean'
      ? [{ sessionId, key, content, withdrawalId, atMs, shown }]
      : []
  })
}
