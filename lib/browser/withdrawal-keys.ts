/**
 * The Idempotency-Key of each withdrawal request until its outcome was shown, and the withdrawals requested a moment
 * ago. All tabs of a session share them and a reload keeps them, so that one request is never sent with two keys.
 */
import type { WithdrawalKeyStore } from './withdrawal-key-store.ts'

export interface KeptKey {
  readonly key: string
  /** The request as text. */
  readonly content: string
  /** Empty until the withdrawal is recorded. */
  readonly withdrawalId: string
  readonly atMs: number
  /** The outcome was shown: from now on the same request is another withdrawal. */
  readonly shown: boolean
}

export interface WithdrawalKeysOptions {
  /** If it fails, only this page has the keys. */
  readonly store: WithdrawalKeyStore
  readonly sessionId: string
  readonly clock: () => number
}

/** Longer than a session lasts (`KEEP_MS`), and than a review looks back for the same withdrawal (`KEEP_SHOWN_MS`). */
const KEEP_MS = 86_400_000
const KEEP_SHOWN_MS = 300_000

interface StoredKey extends KeptKey {
  readonly sessionId: string
}

export function createWithdrawalKeys({ store, sessionId, clock }: WithdrawalKeysOptions) {
  /** By key. These entries come before stored ones: this page's review keeps its key after another tab has shown it. */
  const here = new Map<string, KeptKey>()
  /** The stored keys when this page last read them. */
  let seen: readonly StoredKey[] = []

  const all = (): readonly KeptKey[] => [...here.values(), ...seen.filter(({ key }) => !here.has(key))]

  const find = (content: string): KeptKey | null => all().find((one) => one.content === content && !one.shown) ?? null

  /** `change` gets the keys of this session; null changes nothing. */
  const update = async (change: (stored: readonly StoredKey[]) => readonly StoredKey[] | null): Promise<void> => {
    try {
      await store.update((value) => {
        const stored = readStored(value).filter(({ atMs, shown }) => clock() - atMs < (shown ? KEEP_SHOWN_MS : KEEP_MS))
        const ours = stored.filter((one) => one.sessionId === sessionId)
        const changed = change(ours)
        seen = changed ?? ours
        return changed && [...stored.filter((one) => one.sessionId !== sessionId), ...changed].map(partsOf)
      })
    } catch {
      // The keys stay in memory.
    }
  }

  /** Adds or replaces a key. Keeps the withdrawal's id if another tab has stored it. */
  const withKey = (stored: readonly StoredKey[], kept: KeptKey): readonly StoredKey[] => {
    const known = stored.find(({ key }) => key === kept.key)
    const withdrawalId = kept.withdrawalId === '' ? (known?.withdrawalId ?? '') : kept.withdrawalId
    return [...stored.filter((one) => one !== known), { ...kept, withdrawalId, sessionId }]
  }

  return {
    /** Reads what other tabs have stored. */
    refresh: (): Promise<void> => update(() => null),

    /** The key of a request whose outcome was not shown yet, as far as this page knows. */
    find,

    /** The key for a request, stored before the request is sent. */
    async claim(content: string, newKey: () => string): Promise<KeptKey> {
      const known = find(content)
      const before = new Set(all().map(({ key }) => key))
      const state: { kept: KeptKey | null } = { kept: null }
      const take = (theirs: KeptKey | undefined): KeptKey => {
        const { key, withdrawalId } = known ?? theirs ?? { key: newKey(), withdrawalId: '' }
        return { key, content, withdrawalId, atMs: clock(), shown: false }
      }
      await update((stored) => {
        // Another tab may have sent the same request since the last read, so this page did not ask about a repeat.
        state.kept = take(stored.find((one) => one.content === content && (!one.shown || !before.has(one.key))))
        return withKey(stored, state.kept)
      })
      const kept = state.kept ?? take(undefined)
      here.set(kept.key, kept)
      return kept
    },

    /** The withdrawal is recorded. */
    record(kept: KeptKey): Promise<void> {
      here.set(kept.key, kept)
      return update((stored) => {
        const shown = stored.some((one) => one.key === kept.key && one.shown)
        return withKey(stored, { ...kept, shown })
      })
    },

    /** The keys with a recorded withdrawal, of this page and of other tabs. */
    recorded: (): readonly KeptKey[] => all().filter(({ withdrawalId }) => withdrawalId !== ''),

    /** The outcome of this withdrawal is on the screen. */
    show(withdrawalId: string): Promise<void> {
      const asShown = <T extends KeptKey>(one: T): T =>
        one.withdrawalId === withdrawalId ? { ...one, shown: true } : one
      for (const [key, one] of here) here.set(key, asShown(one))
      return update((stored) => stored.map(asShown))
    },
  }
}

const partsOf = ({ sessionId, key, content, withdrawalId, atMs, shown }: StoredKey) =>
  [sessionId, key, content, withdrawalId, atMs, shown] as const

/** Parsed by hand: a schema library would be part of the screen's first load. */
function readStored(value: unknown): StoredKey[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
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
