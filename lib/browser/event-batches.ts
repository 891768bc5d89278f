export interface EventBatchesOptions<T> {
  readonly apply: (events: readonly T[]) => void
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly everyMs: number
}

export interface EventBatches<T> {
  readonly add: (event: T) => void
  /** What still waits is dropped. */
  readonly close: () => void
}

/** The first event at once, and those that follow within `everyMs` together: the page is drawn once for all of them. */
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
    close() {
      waiting = []
      cancel?.()
    },
  }
}
