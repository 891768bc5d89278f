import { expect, test } from 'vitest'
import { createCashier } from './cashier/create-cashier.ts'
import { everyPerturbationOf, UNDECIDABLE } from './perturbations.ts'
import { SCENES } from './scenes.ts'
import { search, Steps } from './search.ts'

const CASHIERS = [false, true].map((pinned) => createCashier({ pinned }))

const CASES = UNDECIDABLE.flatMap(({ scenes, changes }) =>
  scenes.flatMap((scene) => changes.map((change) => ({ scene, change }))),
)

test.for(CASES)('$scene: $change is not decided', ({ scene: name, change }) => {
  const scenes = SCENES.filter((scene) => scene.name === name)
  const perturbed = scenes.flatMap((scene) => [...everyPerturbationOf(scene)].filter((one) => one.name === change))
  expect(perturbed).toHaveLength(1)
  const found = perturbed.flatMap(({ scene }) =>
    CASHIERS.flatMap((cashier) => search(cashier, scene, cashier.start(scene), new Steps()).found),
  )
  expect(found).not.toEqual([])
})
