/** Finds data that the server read before an event and that arrives after it, and reads it again. */
import { hashKey, partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

export interface LateDataOptions {
  readonly cache: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface LateData {
  /** An event has changed the data with this key. */
  readonly changed: (key: QueryKey) => void
  readonly stop: () => void
}

/** Longer than the server waits for a page's data plus the transfer of its response on a slow network. */
const LATE_MS = 10_000

export function watchForLateData({ cache, now }: LateDataOptions): LateData {
  const changes = new Map<string, { readonly key: QueryKey; readonly atMs: number }>()
  const isLate = (queryKey: QueryKey): boolean =>
    [...changes.values()].some(({ key, atMs }) => partialMatchKey(queryKey, key) && now() - atMs < LATE_MS)

  const stop = cache.getQueryCache().subscribe(({ type, query }) => {
    // A query that is added without data is reading it now.
    if (type !== 'added' || query.state.data === undefined || !isLate(query.queryKey as QueryKey)) return
    void cache.invalidateQueries({ queryKey: query.queryKey as QueryKey, exact: true })
  })
  return {
    changed: (key) => {
      for (const [name, { atMs }] of changes) if (now() - atMs >= LATE_MS) changes.delete(name)
      changes.set(hashKey(key), { key, atMs: now() })
    },
    stop,
  }
}
