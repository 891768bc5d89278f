import { expect, test } from 'vitest'
import { createCashier } from './cashier.ts'
import { FAULTS, withoutTotals } from './deliberate-faults.ts'
import { searchScenes, type FoundIn } from './run.ts'
import { SCENES } from './scenes.ts'

const sceneNamed = (name: string) => {
  const scene = SCENES.find((one) => one.name === name)
  if (scene === undefined) throw new Error(`there is no scene "${name}"`)
  return scene
}

const nameOf = ({ clause, perturbation }: FoundIn): string => `${clause}: ${perturbation}`

test.for(Object.entries(FAULTS))('the search finds: %s', ([_name, { scenes, pinned, clause, make }]) => {
  const cashier = withoutTotals(createCashier({ pinned }))
  for (const name of scenes) {
    const scene = sceneNamed(name)
    const without = new Set(searchScenes([scene], cashier).found.map(nameOf))
    const found = searchScenes([scene], make(cashier)).found.filter((one) => !without.has(nameOf(one)))
    expect(
      found.map((one) => one.clause),
      name,
    ).toContain(clause)
  }
})

test('there are at least twelve faults', () => {
  expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(12)
})
