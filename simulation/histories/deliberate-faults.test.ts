import { expect, test } from 'vitest'
import { createCashier } from './cashier.ts'
import { FAULTS } from './deliberate-faults.ts'
import { searchScenes } from './run.ts'
import { SCENES } from './scenes.ts'

const sceneNamed = (name: string) => {
  const scene = SCENES.find((one) => one.name === name)
  if (scene === undefined) throw new Error(`there is no scene "${name}"`)
  return scene
}

test.for(Object.entries(FAULTS))('the search finds: %s', ([_name, { scenes, pinned, clause, make }]) => {
  for (const name of scenes) {
    const { found } = searchScenes([sceneNamed(name)], make(createCashier({ pinned })))
    expect(
      found.map((one) => one.clause),
      name,
    ).toContain(clause)
    const { found: without } = searchScenes([sceneNamed(name)], createCashier({ pinned }))
    expect(without, name).toEqual([])
  }
})

test('there is a fault for each kind of message', () => {
  expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(12)
})
