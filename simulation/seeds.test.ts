import { expect, test } from 'vitest'
import { DEFAULT_FAULTS } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedReport, SeedTask } from './worker.ts'

/** Worlds of this run: about 40 seconds on two cores. `SIMULATION_RUNS=1000` for more. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 100)
const TIMEOUT_MS = 120_000 + RUNS * 5000

const task = (seed: number, more: Partial<SeedTask> = {}): SeedTask => ({
  seed: String(seed),
  options: { faults: DEFAULT_FAULTS, transactions: 40 },
  postgres: null,
  bug: null,
  shorten: true,
  ...more,
})

async function reportsOf(tasks: readonly SeedTask[]): Promise<readonly SeedReport[]> {
  const reports: SeedReport[] = []
  await runSeeds({ tasks: tasks.values(), onReport: (report) => reports.push(report) })
  return reports
}

test(
  'whatever is lost, repeated, reordered, damaged or crashes, the world comes to rest as it should',
  { timeout: TIMEOUT_MS },
  async () => {
    const reports = await reportsOf(Array.from({ length: RUNS }, (_, index) => task(index + 1)))
    const failed = reports.filter(({ violations }) => violations.length > 0)
    expect(failed.map(({ seed, violations, history }) => ({ seed, violations, history }))).toEqual([])
    expect(reports).toHaveLength(RUNS)
    // Each kind of fault happened somewhere.
    expect(new Set(reports.flatMap(({ faults }) => faults)).size).toBeGreaterThan(DEFAULT_FAULTS.length / 2)
  },
)

test('a seed gives the same history each time', { timeout: TIMEOUT_MS }, async () => {
  const bug = 'a stream skips one'
  const [one, two] = await reportsOf([task(3, { bug }), task(3, { bug })])
  expect(one?.history.length).toBeGreaterThan(3)
  expect(two?.history).toEqual(one?.history)
})
