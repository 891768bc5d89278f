/**
 * The same random operations on SQLite and on PostgreSQL: the worlds of a seed have the same history and the same rows
 * in all tables. A world has webhooks in any order, lists, withdrawals with every outcome and every rule, what a person
 * ends, adjustments, crashes, freezes, erasures, restored backups, and retention at the end.
 */
import { beforeAll, expect, inject, test } from 'vitest'
import { DEFAULT_FAULTS, type Settings } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedReport, SeedTask } from './worker.ts'

/** `SIMULATION_PAIRS=50` for more. */
const PAIRS = Number(process.env['SIMULATION_PAIRS'] ?? 3)
const TIMEOUT_MS = 120_000 + PAIRS * 60_000

const RULES = ['wait', 'none', 'both', 'review'] as const
const MAINTENANCE = ['none', 'erased', 'restored', 'changed books'] as const

function task(seed: number, postgres: string | null, more: Partial<SeedTask> = {}): SeedTask {
  const maintenance = MAINTENANCE[seed % MAINTENANCE.length] ?? 'none'
  const ledgerMode = seed % 3 === 0 ? 'merchant' : 'embedded'
  const rules = RULES[seed % RULES.length] ?? 'none'
  const settings: Partial<Settings> = { maintenance, ledgerMode, rules, days: 0, faultScale: 2 }
  const options = { faults: DEFAULT_FAULTS, transactions: 10, settings }
  return { seed: String(seed), options, postgres, bug: null, history: 'whole', order: 'one by one', ...more }
}

/** Ids have gaps where a transaction was rolled back, but on PostgreSQL alone. */
const withoutIds = (line: string): string => line.replaceAll(/quarantine \d+/g, 'quarantine')

/** The first lines and rows that the two do not have in common. */
function differences(one: SeedReport, other: SeedReport): readonly string[] {
  const first = (what: string, left: readonly string[], right: readonly string[]): readonly string[] => {
    const at = left.findIndex((line, place) => line !== right[place])
    if (at === -1 && left.length === right.length) return []
    const place = at === -1 ? left.length : at
    return [`${what} ${String(place)}: ${left[place] ?? 'nothing'} | ${right[place] ?? 'nothing'}`]
  }
  return [
    ...first('line', one.history.map(withoutIds), other.history.map(withoutIds)),
    ...one.tables.flatMap((dumps, moment) =>
      [...new Set([...dumps.keys(), ...(other.tables[moment]?.keys() ?? [])])].flatMap((table) =>
        first(`row of ${table}`, dumps.get(table) ?? [], other.tables[moment]?.get(table) ?? []),
      ),
    ),
  ]
}

/** Makes a difference on purpose, on SQLite. */
const BUG = 'a posting is forgotten'

const found = new Map<string, SeedReport>()
const nameOf = (seed: string, postgres: boolean, bug: string | null = null): string =>
  JSON.stringify([seed, postgres, bug])

const SEEDS = Array.from({ length: PAIRS }, (_item, index) => index + 1)

beforeAll(async () => {
  const url = inject('postgresUrl')
  const run = (postgres: string | null, ...more: readonly SeedTask[]): Promise<void> =>
    runSeeds({
      tasks: [...SEEDS.map((seed) => task(seed, postgres)), ...more].values(),
      onReport: (report) => found.set(nameOf(report.seed, postgres !== null, report.bug), report),
    })
  await run(url)
  await run(null, task(1, null, { bug: BUG }))
}, TIMEOUT_MS)

function reportOf(...name: Parameters<typeof nameOf>): SeedReport {
  const report = found.get(nameOf(...name))
  if (report === undefined) throw new Error('this world did not end')
  return report
}

test.for(SEEDS.map(String))('seed %s', (seed) => {
  const one = reportOf(seed, false)
  expect(differences(one, reportOf(seed, true))).toEqual([])
  expect(one.violations).toEqual([])
  // It is no empty world.
  expect(one.history.length).toBeGreaterThan(50)
  expect(one.tables[0]?.get('transactions')?.length).toBeGreaterThan(0)
})

test('a difference is found', () => {
  const different = differences(reportOf('1', false, BUG), reportOf('1', true))
  expect(different.filter((line) => line.startsWith('row of postings'))).not.toEqual([])
})
