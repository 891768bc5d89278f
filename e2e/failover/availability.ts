/** How long a fault was felt. Times are milliseconds of one clock. */
export interface Outcome {
  /** The kind of request, and the instance that it went to. */
  readonly lane: string
  readonly startedAt: number
  readonly endedAt: number
  readonly ok: boolean
}

export interface FaultSpan {
  readonly from: number
  readonly to: number
}

/** A shorter silence is none: a busy machine is slow too. */
export const SILENCE_MS = 2000

/**
 * The time from the fault to the end of the longest silence that began in its span; 0 when there was none, and null
 * while it lasts. @param times in ascending order
 */
export function heardAgainAfter(times: readonly number[], { from, to }: FaultSpan): number | null {
  const points = [times.findLast((at) => at < from) ?? from, ...times.filter((at) => at >= from)]
  let longest = { ms: SILENCE_MS, end: from }
  for (const [at, time] of points.entries()) {
    const previous = points[at - 1]
    if (previous !== undefined && previous <= to && time - previous > longest.ms)
      longest = { ms: time - previous, end: time }
  }
  const last = points.at(-1) ?? from
  return last < to - SILENCE_MS ? null : longest.end - from
}

/** The time until every lane answered again, by requests that began after the fault. */
export function answersAgainAfter(outcomes: readonly Outcome[], span: FaultSpan): number | null {
  const lanes = Map.groupBy(outcomes, ({ lane }) => lane)
  const each = [...lanes.values()].map((lane) => {
    const answered = lane.filter(({ ok, startedAt, endedAt }) => ok && (startedAt >= span.from || endedAt < span.from))
    return heardAgainAfter(
      answered.map(({ endedAt }) => endedAt).sort((a, b) => a - b),
      span,
    )
  })
  return each.reduce<number | null>((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0)
}

export interface Summary {
  readonly rounds: number
  readonly p50: number
  readonly max: number
}

export function medianAndMost(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b)
  return { rounds: sorted.length, p50: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}
