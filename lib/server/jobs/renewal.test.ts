import { expect, test } from 'vitest'
import { createRenewal } from './renewal.ts'

test('it is due at first, and again when the time has passed', () => {
  let now = 1000
  const renewal = createRenewal(() => now)
  expect(renewal.isDue()).toBe(true)
  renewal.nextIn(50)
  now += 49
  expect(renewal.isDue()).toBe(false)
  now += 1
  expect([renewal.isDue(), renewal.isDue()]).toEqual([true, true])
})

test('a clock that is set back makes it due until it was renewed, also when the clock has caught up', () => {
  let now = 1000
  const renewal = createRenewal(() => now)
  renewal.nextIn(50)
  now += 30
  expect(renewal.isDue()).toBe(false)
  now -= 20
  expect(renewal.isDue()).toBe(true)
  now += 25
  expect(renewal.isDue()).toBe(true)
  renewal.nextIn(50)
  expect(renewal.isDue()).toBe(false)
})
