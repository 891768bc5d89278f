/** Longer than a browser on a slow line needs from the launch to the page's request. */
const KEPT_MS = 10_000
const MOST_KEPT = 1000

export interface PreparedResults<T> {
  /** Begins to load, and keeps the result for the first `take` of this name within ten seconds. */
  prepare(name: string, load: () => Promise<T>): void
  /** What was prepared, once; null without it. */
  take(name: string): Promise<T> | null
}

/**
 * Data that the launch asks for while the browser requests the page. The page takes the call's result, so that both
 * together call the gateway once, also when that fails.
 */
export function preparedResults<T>(): PreparedResults<T> {
  const kept = new Map<string, Promise<T>>()
  return {
    prepare(name, load) {
      if (kept.size >= MOST_KEPT) return
      const result = load()
      kept.set(name, result)
      setTimeout(() => kept.get(name) === result && kept.delete(name), KEPT_MS).unref()
    },
    take(name) {
      const result = kept.get(name) ?? null
      kept.delete(name)
      return result
    },
  }
}
