/** Refetches what stream events have changed, without a request for each event of a burst. */
import type { QueryKey } from '@tanstack/react-query'

export interface PacedRefetchOptions {
  /** Resolves, or rejects, when the answers have arrived. */
  readonly refetch: (key: QueryKey) => Promise<unknown>
  /** Resolves after the minimum time between two reads. */
  readonly pause: () => Promise<void>
}

/** Reads at once for the first event. Events until its answer and the pause after it share the next read. */
export function createPacedRefetch({ refetch, pause }: PacedRefetchOptions): (key: QueryKey) => void {
  /** The keys that are being read, and whether to read each once more. */
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
