import { expect, test } from 'vitest'
import { BUGS } from './deliberate-bugs.ts'
import { DEFAULT_FAULTS } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedTask } from './worker.ts'

/** Enough for the rarest of them. */
const MOST_SEEDS = 60

test.for(Object.entries(BUGS))(
  'it finds: %s',
  { timeout: 600_000 },
  async ([bug, { clause, settings, faults = [] }]) => {
    let found: string | null = null
    function* tasks(): Generator<SeedTask> {
      for (let seed = 1; seed <= MOST_SEEDS; seed += 1)
        yield {
          seed: String(seed),
          options: { faults: [...DEFAULT_FAULTS, ...faults], transactions: 30, ...(settings && { settings }) },
          postgres: null,
          bug,
          history: 'none',
        }
    }
    await runSeeds({
      tasks: tasks(),
      onReport: ({ violations }) => {
        found ??= violations.find((violation) => violation.startsWith(`${clause}:`)) ?? null
      },
      isOver: () => found !== null,
    })
    expect(found, 'no world in which the bug shows').not.toBeNull()
  },
)

test('there are twelve of them and more, each of its clause', () => {
  expect(Object.keys(BUGS).length).toBeGreaterThanOrEqual(12)
  expect(new Set(Object.values(BUGS).map(({ clause }) => clause)).size).toBeGreaterThanOrEqual(8)
})
