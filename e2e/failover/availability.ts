/** How long a fault was felt. Times are milliseconds of one clock. */
export interface Outcome {
  /** The kind of request, and the instance that it went to. */
  readonly lane: string
  readonly startedAt: number
  readonly endedAt: number
  readonly ok: boolean
}

/** A slower answer counts as none. */
export const SLOW_MS = 3000

export const isGood = ({ ok, startedAt, endedAt }: Outcome): boolean => ok && endedAt - startedAt <= SLOW_MS

/**
 * The time from the fault until every lane answered again: to the first good answer after its last request that got
 * none; 0 when no request failed, and null while a lane has no good answer yet.
 */
export function answersAgainAfter(outcomes: readonly Outcome[], fault: { from: number; to: number }): number | null {
  const lanes = Map.groupBy(
    outcomes.filter(({ startedAt, endedAt }) => endedAt >= fault.from && startedAt <= fault.to),
    ({ lane }) => lane,
  )
  const each = [...lanes.values()].map((lane) => {
    const lastBad = lane.filter((one) => !isGood(one)).reduce((last, one) => Math.max(last, one.startedAt), -Infinity)
    if (lastBad === -Infinity) return lane.some(({ startedAt }) => startedAt >= fault.from) ? 0 : null
    const again = lane.filter((one) => isGood(one) && one.startedAt > Math.max(lastBad, fault.from))
    return again.length === 0 ? null : Math.min(...again.map(({ endedAt }) => endedAt)) - fault.from
  })
  if (each.length === 0) return null
  return each.reduce<number | null>((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0)
}

/** The end of the longest silence that began or lay in the window, after the window's start. */
export function heardAgainAfter(times: readonly number[], fault: { from: number; to: number }): number | null {
  const before = times.filter((at) => at < fault.from).slice(-1)
  const after = times.filter((at) => at >= fault.from)
  const points = [...before, ...after]
  let longest = { ms: -1, end: 0 }
  for (const [at, time] of points.entries()) {
    const previous = points[at - 1]
    if (previous === undefined || previous > fault.to) continue
    if (time - previous > longest.ms) longest = { ms: time - previous, end: time }
  }
  return longest.ms < 0 ? null : Math.max(0, longest.end - fault.from)
}

export interface Summary {
  readonly rounds: number
  readonly p50: number
  readonly max: number
}

export function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b)
  return { rounds: sorted.length, p50: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}
