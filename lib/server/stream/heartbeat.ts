const TICK_MS = 1000
const BEAT_TICKS = 15
/** In one tick; more of them begin earlier. */
const EVEN_SHARE = 500

export interface Heartbeat {
  /** Calls `beat` every 15 seconds, the first time earlier where many came at once. Returns its end. */
  add(beat: () => void): () => void
  stop(): void
}

/** One timer for all streams: a timer for each costs more than what it sends. */
export function createHeartbeat(): Heartbeat {
  const slots = Array.from({ length: BEAT_TICKS }, () => new Set<() => void>())
  let tick = 0
  const slotAfter = (ticks: number): Set<() => void> => slots[(tick + ticks) % BEAT_TICKS] ?? new Set()

  const timer = setInterval(() => {
    tick += 1
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
    stop: () => clearInterval(timer),
  }
}
