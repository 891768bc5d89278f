const TICK_MS = 1000
const BEAT_TICKS = 15
/** In one tick; more are sent a few ticks earlier. */
const EVEN_SHARE = 500
const EARLIEST_TICKS = 8

export interface Heartbeat {
  /** Calls `beat` every 15 seconds, the first time up to seven earlier where many came at once. Returns its end. */
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
      let ticks = BEAT_TICKS
      while (ticks > EARLIEST_TICKS && slotAfter(ticks).size >= EVEN_SHARE) ticks -= 1
      const slot = slotAfter(ticks)
      slot.add(beat)
      return () => slot.delete(beat)
    },
    stop: () => clearInterval(timer),
  }
}
