import { expect, test } from 'vitest'
import { asCallOf, callingMachine, Machine } from './machine.ts'
import { nextTurn } from './world-database.ts'

const machine = new Machine({
  name: 'machine',
  skewMs: 0,
  now: () => 0,
  onCrash: () => undefined,
  onFreeze: () => undefined,
})

test('what a store call leaves behind is no call of its machine', async () => {
  const left: Promise<Machine | undefined>[] = []
  const during = await asCallOf(machine, () => {
    left.push(nextTurn().then(callingMachine))
    return Promise.resolve(callingMachine())
  })
  expect([during, await Promise.all(left)]).toEqual([machine, [undefined]])
})
