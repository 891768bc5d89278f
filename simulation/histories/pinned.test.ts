import { expect, test } from 'vitest'
import { createCashier } from './cashier/create-cashier.ts'
import { summaryOf, searchScenes } from './run.ts'
import { SCENES } from './scenes.ts'

test('with a merchant reference, in every history the money is conserved or a line names it', () => {
  const report = searchScenes(SCENES, createCashier({ pinned: true }))
  expect(summaryOf(report)).toEqual([])
  expect(report.histories).toBeGreaterThan(1_000_000)
})
