import { expect, test } from 'vitest'
import { createRestartLimit } from './restart-limit.ts'

test('at most three restarts within a minute', () => {
  let now = 0
  const mayRestart = createRestartLimit(() => now)
  expect([mayRestart(), mayRestart(), mayRestart(), mayRestart()]).toEqual([true, true, true, false])
  now = 59_999
  expect(mayRestart()).toBe(false)
  now = 120_000
  expect(mayRestart()).toBe(true)
})
