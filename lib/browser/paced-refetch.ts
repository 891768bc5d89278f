/** Reads again what events of the stream have changed, without a request for each event of a burst. */
import type { QueryKey } from '@tanstack/react-query'

export interface PacedRefetchOptions {
  /** Resolves, or rejects, once the answers are there. */
  readonly refetch: (key: QueryKey) => Promise<unknown>
  /** Resolves after the shortest time between two reads. */
  readonly pause: () => Promise<void>
}

/** At once for the first event. Those that come before its answer, or soon after it, share one read after that. */
export function createPacedRefetch({ refetch, pause }: PacedRefetchOptions): (key: QueryKey) => void {
  /** The keys that are being read, and whether each has to be read once more. */
  const reading = new Map<string, boolean>()

  const read = async (name: string, key: QueryKey): Promise<void> => {
    do {
      reading.set(name, false)
      await Promise.allSettled([refetch(key), pause()])
    } while (reading.get(name) === true)
    reading.delete(name)
  }
  return (key) => {
    const name = JSON.stringify(key)
    if (reading.has(name)) reading.set(name, true)
    else void read(name, key)
  }
}
