/** Worlds on PostgreSQL, whose connections are cut, held and ended inside transactions and at COMMIT. */
import { beforeAll, expect, inject, test } from 'vitest'
import { DEFAULT_FAULTS, type Settings } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedReport, SeedTask } from './worker.ts'

/** `SIMULATION_POSTGRES_RUNS=100` for more. */
const RUNS = Number(process.env['SIMULATION_POSTGRES_RUNS'] ?? 4)
const TIMEOUT_MS = 120_000 + RUNS * 60_000

const MAINTENANCE = ['none', 'copied', 'restored', 'copied in vain', 'erased', 'changed books'] as const

/** The proxy freezes connections; while a whole machine is frozen, others would wait for its locks in real time. */
const FAULTS = DEFAULT_FAULTS.filter((kind) => kind !== 'freeze')

const task = (seed: number, postgres: string): SeedTask => {
  const maintenance = MAINTENANCE[seed % MAINTENANCE.length] ?? 'none'
  // Several instances, and somebody who reads the feed and gets its events while they write.
  const settings: Partial<Settings> = { maintenance, days: 0, machines: 3, deliveries: true, faultScale: 2 }
  const options = { faults: FAULTS, transactions: 10, settings, hasPostgres: true }
  return { seed: String(seed), options, postgres, bug: null, history: 'whole' }
}

const reports: SeedReport[] = []

beforeAll(async () => {
  const url = inject('postgresUrl')
  const tasks = Array.from({ length: RUNS }, (_item, index) => task(index + 1, url))
  await runSeeds({ tasks: tasks.values(), onReport: (report) => reports.push(report) })
}, TIMEOUT_MS)

test('the world comes to rest correctly', () => {
  const failed = reports.filter(({ violations }) => violations.length > 0)
  expect(failed.map(({ seed, violations, history }) => ({ seed, violations, history }))).toEqual([])
  expect(reports).toHaveLength(RUNS)
})

test('connections had troubles', () => {
  expect(reports.flatMap(({ faults }) => faults)).toContain('store_cut')
})
