export interface EventBatchesOptions<T> {
  readonly apply: (events: readonly T[]) => void
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly everyMs: number
}

export interface EventBatches<T> {
  readonly add: (event: T) => void
  /** Drops the waiting events. */
  readonly drop: () => void
}

/**
 * Applies the first event at once, and the events of the next `everyMs` together, so that the page renders once for
 * all.
 */
export function createEventBatches<T>({ apply, setTimer, everyMs }: EventBatchesOptions<T>): EventBatches<T> {
  let waiting: T[] = []
  let cancel: (() => void) | null = null

  const flush = (): void => {
    const events = waiting
    waiting = []
    cancel = events.length === 0 ? null : setTimer(flush, everyMs)
    if (events.length > 0) apply(events)
  }
  return {
    add(event) {
      waiting.push(event)
      if (cancel === null) flush()
    },
    drop() {
      waiting = []
      cancel?.()
      cancel = null
    },
  }
}
