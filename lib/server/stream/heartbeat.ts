const TICK_MS = 1000
const BEAT_TICKS = 15
/** The number of streams in one tick; further streams have their first beat in an earlier tick. */
const EVEN_SHARE = 500

/** A beat says that events would arrive: it needs an answer of the store that is not older. */
const LAST_ANSWER_MS = 15_000

export interface Heartbeat {
  /**
   * Calls `beat` every 15 seconds, if the store has answered within the last 15 seconds; the first time is earlier if
   * many were added at once. Returns a function that ends it.
   */
  add(beat: () => void): () => void
  /** The store has answered a read of streams. */
  answered(): void
  stop(): void
}

/** One timer for all streams: a timer for each stream would cost more than the beat that it sends. */
export function createHeartbeat(): Heartbeat {
  const slots = Array.from({ length: BEAT_TICKS }, () => new Set<() => void>())
  let tick = 0
  let answeredAt = performance.now()
  const slotAfter = (ticks: number): Set<() => void> => slots[(tick + ticks) % BEAT_TICKS] ?? new Set()

  const timer = setInterval(() => {
    tick += 1
    if (performance.now() - answeredAt > LAST_ANSWER_MS) return
    for (const beat of slotAfter(0)) beat()
  }, TICK_MS)
  timer.unref()

  return {
    add(beat) {
      let slot = slotAfter(BEAT_TICKS)
      for (let ticks = BEAT_TICKS - 1; ticks > 0 && slot.size >= EVEN_SHARE; ticks -= 1) {
        const earlier = slotAfter(ticks)
        if (earlier.size < slot.size) slot = earlier
      }
      slot.add(beat)
      return () => slot.delete(beat)
    },
    answered() {
      answeredAt = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}
