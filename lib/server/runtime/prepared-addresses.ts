import type { DepositAddress } from '#lib/contract/cashier.ts'
import type { Loaded } from './app.ts'

/** Longer than a browser on a slow line needs from the launch to the page's request. */
const KEPT_MS = 10_000
const MOST_KEPT = 1000

type Result = Promise<Loaded<DepositAddress>>

export interface PreparedAddresses {
  /** Keeps the address, or why there is none, for the session's first page. */
  prepare(sessionId: string, currencyId: string, load: () => Result): void
  /** What was prepared, once; null for another currency, or after ten seconds. */
  take(sessionId: string, currencyId: string): Result | null
}

/**
 * Addresses that the launch asks for while the browser requests the page. The page takes the call's result, so that
 * both together call the gateway once, also when that fails.
 */
export function preparedAddresses(): PreparedAddresses {
  const kept = new Map<string, { readonly currencyId: string; readonly result: Result }>()
  return {
    prepare(sessionId, currencyId, load) {
      if (kept.size >= MOST_KEPT) return
      const entry = { currencyId, result: load() }
      kept.set(sessionId, entry)
      setTimeout(() => kept.get(sessionId) === entry && kept.delete(sessionId), KEPT_MS).unref()
    },
    take(sessionId, currencyId) {
      const entry = kept.get(sessionId)
      kept.delete(sessionId)
      return entry?.currencyId === currencyId ? entry.result : null
    },
  }
}
