import { expect, test } from 'vitest'
import { createRenewal } from './renewal.ts'

test('it is due at first, and again after the time has passed', () => {
  let now = 1000
  const renewal = createRenewal(() => now)
  expect(renewal.isDue()).toBe(true)
  renewal.nextIn(50)
  now += 49
  expect(renewal.isDue()).toBe(false)
  now += 1
  expect([renewal.isDue(), renewal.isDue()]).toEqual([true, true])
})

test('after the clock is set back it is due until it is renewed, even if the clock catches up', () => {
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
