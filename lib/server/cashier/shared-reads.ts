/**
 * Runs one read per key at a time. Callers during a running read share the next one, so that each gets a result that
 * was read after the call.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const waiting = new Map<string, Promise<T>>()

  const start = (key: string, read: () => Promise<T>): Promise<T> => {
    const done = read().finally(() => {
      if (running.get(key) === done) running.delete(key)
    })
    running.set(key, done)
    return done
  }

  return (key, read) => {
    const current = running.get(key)
    if (current === undefined) return start(key, read)
    const known = waiting.get(key)
    if (known !== undefined) return known
    const next = (): Promise<T> => {
      waiting.delete(key)
      return start(key, read)
    }
    const shared = current.then(next, next)
    waiting.set(key, shared)
    return shared
  }
}
