/** Notices data that the server read before an event, and that arrives after it: it has to be read again. */
import { hashKey, partialMatchKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

export interface LateDataOptions {
  readonly cache: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>
  /** Milliseconds, of a clock that never goes back. */
  readonly now: () => number
}

export interface LateData {
  /** An event has changed what has this key. */
  readonly changed: (key: QueryKey) => void
  readonly stop: () => void
}

/** Longer than the server waits for the data of a page, and a slow line for the rest of its answer. */
const LATE_MS = 10_000

export function watchForLateData({ cache, now }: LateDataOptions): LateData {
  const changes = new Map<string, { readonly key: QueryKey; readonly atMs: number }>()
  const isLate = (queryKey: QueryKey): boolean =>
    [...changes.values()].some(({ key, atMs }) => partialMatchKey(queryKey, key) && now() - atMs < LATE_MS)

  const stop = cache.getQueryCache().subscribe(({ type, query }) => {
    // A query that is added without data reads it now.
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
