import { expect, test } from 'vitest'
import { createCashier } from './cashier/create-cashier.ts'
import { FAULTS, withoutTotals } from './deliberate-faults.ts'
import type { Cashier, State } from './port.ts'
import { searchesOf } from './run.ts'
import { SCENES } from './scenes.ts'
import type { HistoryScene } from './story.ts'

const sceneNamed = (name: string) => {
  const scene = SCENES.find((one) => one.name === name)
  if (scene === undefined) throw new Error(`there is no scene "${name}"`)
  return scene
}

/** The clauses that find something, by perturbation. */
function* clausesOf<S extends State>(scene: HistoryScene, cashier: Cashier<S>): Generator<readonly string[]> {
  for (const { found } of searchesOf(scene, cashier)) yield found.map(({ clause }) => clause)
}

/** The clauses that find only the second cashier, until one of them is this clause. */
function newClauses<S extends State>(
  scene: HistoryScene,
  cashier: Cashier<S>,
  faulty: Cashier<S>,
  clause: string,
): readonly string[] {
  const without = clausesOf(scene, cashier)
  const all: string[] = []
  for (const found of clausesOf(scene, faulty)) {
    const next = without.next()
    const before = next.done === true ? [] : next.value
    all.push(...found.filter((one) => !before.includes(one)))
    if (all.includes(clause)) break
  }
  return all
}

test.for(Object.entries(FAULTS))('the search finds: %s', ([_name, { scenes, pinned, clause, make }]) => {
  const cashier = withoutTotals(createCashier({ pinned }))
  for (const name of scenes)
    expect(newClauses(sceneNamed(name), cashier, make(cashier), clause), name).toContain(clause)
})

test('there are at least twelve faults', () => {
  expect(Object.keys(FAULTS).length).toBeGreaterThanOrEqual(12)
})
