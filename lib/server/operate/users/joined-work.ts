import { setTimeout as sleep } from 'node:timers/promises'

export interface JoinedWork<T> {
  /**
   * Waits for the work with this key, which `begin` starts unless it is under way or has just ended. Null: it goes on,
   * and the same call again waits for it.
   * @throws what the work throws, once
   */
  join(key: string, begin: () => Promise<T>): Promise<T | null>
}

export interface JoinedWorkOptions {
  /** Shorter than the time limit of a browser's call. */
  readonly waitMs: number
  /** How long an outcome that nobody has fetched is kept. */
  readonly keepMs: number
}

/** Work that may outlast a call: at most one for each key in this process. */
export function createJoinedWork<T>({ waitMs, keepMs }: JoinedWorkOptions): JoinedWork<T> {
  const underWay = new Map<string, Promise<T>>()

  const start = (key: string, begin: () => Promise<T>): Promise<T> => {
    const work = begin()
    underWay.set(key, work)
    const forget = async (): Promise<void> => {
      await sleep(keepMs, undefined, { ref: false })
      if (underWay.get(key) === work) underWay.delete(key)
    }
    work.then(forget, forget).catch(() => undefined)
    return work
  }

  return {
    async join(key, begin) {
      const work = underWay.get(key) ?? start(key, begin)
      const ended = await Promise.race([
        work.then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        ),
        sleep(waitMs, null, { ref: false }),
      ])
      if (ended === null) return null
      if (underWay.get(key) === work) underWay.delete(key)
      if ('error' in ended) throw ended.error
      return ended.value
    },
  }
}
