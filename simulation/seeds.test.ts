import { expect, test } from 'vitest'
import { DEFAULT_FAULTS } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedReport, SeedTask } from './worker.ts'

/** Worlds of this run: about 40 seconds on two cores. `SIMULATION_RUNS=1000` for more. */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 40)

const task = (seed: number, more: Partial<SeedTask> = {}): SeedTask => ({
  seed: String(seed),
  // A world of days takes minutes; `npm run simulate` has some.
  options: { faults: DEFAULT_FAULTS, transactions: 40, settings: { days: 0 } },
  postgres: null,
  bug: null,
  history: 'shortest',
  ...more,
})

async function reportsOf(tasks: readonly SeedTask[]): Promise<readonly SeedReport[]> {
  const reports: SeedReport[] = []
  await runSeeds({ tasks: tasks.values(), onReport: (report) => reports.push(report) })
  return reports
}

test('despite lost, repeated, reordered and damaged messages and crashes, the world comes to rest correctly', async () => {
  const reports = await reportsOf(Array.from({ length: RUNS }, (_item, index) => task(index + 1)))
  const failed = reports.filter(({ violations }) => violations.length > 0)
  expect(failed.map(({ seed, violations, history }) => ({ seed, violations, history }))).toEqual([])
  expect(reports).toHaveLength(RUNS)
  // Each kind of fault happened in at least one world.
  expect(new Set(reports.flatMap(({ faults }) => faults)).size).toBeGreaterThan(DEFAULT_FAULTS.length / 2)
})

test('a seed gives the same history each time', async () => {
  const history = 'whole'
  const [one, two] = await reportsOf([task(3, { history }), task(3, { history })])
  expect(one?.history.length).toBeGreaterThan(100)
  expect(two?.history).toEqual(one?.history)
})

test('the history of a seed that fails is made as short as it can be', async () => {
  const bug = 'the page sends a review again under a new key'
  const settings = { ledgerMode: 'embedded', faultScale: 0, maintenance: 'none', days: 0 } as const
  const options = { faults: DEFAULT_FAULTS, transactions: 10, settings }
  // Long enough for a slow machine, and shorter than the time after which a world counts as hanging.
  const [shortest] = await reportsOf([task(15, { bug, options, searchMs: 400_000 })])
  const [whole] = await reportsOf([task(15, { bug, options, history: 'whole' })])
  expect(shortest?.violations[0]).toMatch(/^once: .* was confirmed 1 times and left the gateway \d+ times$/)
  const actions = (report: SeedReport | undefined): number =>
    report?.history.filter((line) => line.includes('  — ')).length ?? 0
  expect(actions(shortest)).toBeGreaterThan(0)
  expect(actions(shortest)).toBeLessThan(actions(whole) / 2)
})
