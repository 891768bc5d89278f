/** What this installation has measured or was told of a currency: a few samples of each measure, without any user. */
import * as z from 'zod'
import type { Measure, MeasurementRow } from '../store/types.ts'

const DAY_MS = 86_400_000

/** How long a sample counts, and how many of the newest are kept. */
const KEPT = {
  /** Milliseconds from a deposit's detection to its credit. */
  deposit_time: { forMs: 30 * DAY_MS, most: 200 },
  /** Milliseconds from the gateway's call for a withdrawal to its success. */
  payout_time: { forMs: 30 * DAY_MS, most: 200 },
  /** US dollars for one, as the gateway valued a transaction. */
  rate: { forMs: DAY_MS, most: 20 },
  /** The same, told by the merchant. */
  told_rate: { forMs: DAY_MS, most: 1 },
  /** The least amount of a withdrawal, as a refusal of the gateway named it. */
  amount_min: { forMs: DAY_MS, most: 1 },
  amount_max: { forMs: DAY_MS, most: 1 },
} as const satisfies Record<Measure, object>

export interface Sample {
  readonly at_ms: number
  /** A decimal, or whole milliseconds. */
  readonly value: string
}

/** The samples that still count, oldest first. A sample of the future is from before a clock was set back. */
export const current = (measure: Measure, samples: readonly Sample[], nowMs: number): readonly Sample[] => {
  const { forMs, most } = KEPT[measure]
  return samples.filter(({ at_ms }) => at_ms <= nowMs && nowMs - at_ms <= forMs).slice(-most)
}

const stored = z.array(z.tuple([z.number(), z.string()]))

export const readSamples = (text: string): readonly Sample[] =>
  stored.parse(JSON.parse(text)).map(([at_ms, value]) => ({ at_ms, value }))

export const writeSamples = (samples: readonly Sample[]): string =>
  JSON.stringify(samples.map(({ at_ms, value }) => [at_ms, value]))

export const meaningOf = ({ currency_code, network }: { readonly currency_code: string; readonly network: string }) =>
  `${currency_code}@${network}`.toLowerCase()

/** A sample with what it is of. */
export interface Found extends Sample, Pick<MeasurementRow, 'currency_id' | 'measure' | 'meaning'> {}

/** The stored rows with the samples added; samples of another meaning of the currency's id are dropped. */
export function withSamples(
  stored: readonly MeasurementRow[],
  found: readonly Found[],
  nowMs: number,
): readonly MeasurementRow[] {
  const keyOf = (of: Pick<MeasurementRow, 'currency_id' | 'measure'>): string => `${of.measure} ${of.currency_id}`
  const rows = new Map(stored.map((row) => [keyOf(row), row]))
  const changed = new Map<string, MeasurementRow>()
  for (const { at_ms, value, ...of } of found) {
    const before = rows.get(keyOf(of))
    const samples = before?.meaning === of.meaning ? readSamples(before.samples) : []
    const all = [...samples, { at_ms, value }].sort((a, b) => a.at_ms - b.at_ms)
    const row = { ...of, samples: writeSamples(current(of.measure, all, nowMs)), updated_ms: nowMs }
    rows.set(keyOf(of), row)
    changed.set(keyOf(of), row)
  }
  return [...changed.values()]
}
