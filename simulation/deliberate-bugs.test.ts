import { beforeAll, expect, test } from 'vitest'
import { BUGS } from './deliberate-bugs.ts'
import { DEFAULT_FAULTS } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedTask } from './worker.ts'

/** Enough for the rarest of them. */
const MOST_SEEDS = 60

/** The first violation of its clause that a world with each bug showed. */
const found = new Map<string, string>()

/** The first seed with every bug, then the second with those that it did not find, and so on. */
function* tasks(): Generator<SeedTask> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1)
    for (const [bug, { settings, faults = [] }] of Object.entries(BUGS))
      if (!found.has(bug))
        yield {
          seed: String(seed),
          options: { faults: [...DEFAULT_FAULTS, ...faults], transactions: 30, ...(settings && { settings }) },
          postgres: null,
          bug,
          history: 'none',
        }
}

beforeAll(async () => {
  await runSeeds({
    tasks: tasks(),
    onReport: ({ bug, violations }) => {
      const clause = bug === null ? undefined : BUGS[bug]?.clause
      const violation = violations.find((one) => one.startsWith(`${clause}:`))
      if (bug !== null && violation !== undefined) found.set(bug, violation)
    },
  })
}, 3_600_000)

test.for(Object.keys(BUGS))('it finds: %s', (bug) => {
  expect(found.get(bug), 'no world in which the bug shows').toBeDefined()
})

test('there are twelve of them and more, each of its clause', () => {
  expect(Object.keys(BUGS).length).toBeGreaterThanOrEqual(12)
  expect(new Set(Object.values(BUGS).map(({ clause }) => clause)).size).toBeGreaterThanOrEqual(8)
})
