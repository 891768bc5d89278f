import { beforeAll, expect, test } from 'vitest'
import { BUGS } from './deliberate-bugs.ts'
import { DEFAULT_FAULTS } from './plan.ts'
import { runSeeds } from './run-seeds.ts'
import type { SeedTask } from './worker.ts'

/** Enough worlds to find the rarest bug, if it does not show in the world of its entry any more. */
const SEEDS = Array.from({ length: 60 }, (_item, index) => index + 1)

/** By bug, the first violation of its clause. */
const found = new Map<string, string>()

/** Runs every bug in the world of its entry, then each seed with the bugs not found yet. */
function* tasks(): Generator<SeedTask> {
  for (const known of [null, ...SEEDS])
    for (const [bug, { settings, faults = [], seed }] of Object.entries(BUGS))
      if (!found.has(bug) && known !== seed)
        yield {
          seed: String(known ?? seed),
          options: {
            // Some of the wrong cashiers compare ids as texts.
            faults: [...DEFAULT_FAULTS.filter((kind) => kind !== 'id_case'), ...faults],
            transactions: 30,
            settings: { maintenance: 'none', days: 0, rules: 'none', ...settings },
          },
          postgres: null,
          bug,
          history: 'none',
        }
}

beforeAll(async () => {
  await runSeeds({
    tasks: tasks(),
    onReport: ({ bug, seed, violations }) => {
      const entry = bug === null ? undefined : BUGS[bug]
      const violation = violations.find((one) => one.startsWith(`${entry?.clause}:`))
      if (bug === null || violation === undefined) return
      if (!found.has(bug) && seed !== String(entry?.seed)) console.log(`${bug}: shows in world ${seed} now`)
      found.set(bug, violation)
    },
  })
})

test.for(Object.keys(BUGS))('it finds: %s', (bug) => {
  expect(found.get(bug), 'no world in which the bug shows').toBeDefined()
})

test('there are at least twelve bugs, and each has a clause', () => {
  expect(Object.keys(BUGS).length).toBeGreaterThanOrEqual(12)
  expect(new Set(Object.values(BUGS).map(({ clause }) => clause)).size).toBeGreaterThanOrEqual(8)
})
