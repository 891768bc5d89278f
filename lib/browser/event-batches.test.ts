import { expect, test } from 'vitest'
import { createEventBatches } from './event-batches.ts'

function batches() {
  const applied: (readonly number[])[] = []
  let timer: (() => void) | null = null
  const made = createEventBatches<number>({
    apply: (events) => applied.push(events),
    setTimer: (run) => {
      timer = run
      return () => (timer = null)
    },
    everyMs: 100,
  })
  const pass = (): void => {
    const run = timer
    timer = null
    run?.()
  }
  return { ...made, applied, pass, isWaiting: () => timer !== null }
}

test('the first event is applied at once, the following events together', () => {
  const { add, applied, pass, isWaiting } = batches()
  for (const event of [1, 2, 3]) add(event)
  expect(applied).toEqual([[1]])
  pass()
  expect(applied).toEqual([[1], [2, 3]])
  pass()
  expect([applied.length, isWaiting()]).toEqual([2, false])
  add(4)
  expect(applied).toEqual([[1], [2, 3], [4]])
})

test('drop drops the waiting events, and later ones are applied', () => {
  const { add, applied, pass, drop } = batches()
  for (const event of [1, 2]) add(event)
  drop()
  pass()
  expect(applied).toEqual([[1]])
  add(3)
  expect(applied).toEqual([[1], [3]])
})
