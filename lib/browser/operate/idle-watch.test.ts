import { expect, test } from 'vitest'
import { createIdleWatch } from './idle-watch.ts'

/** Tabs of one browser, and their clock. */
function browser() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
  const state = { now: 1_000_000 }
  return { state, items, tab: () => createIdleWatch({ idleMs: 60_000, now: () => state.now, storage: () => storage }) }
}

test('a console is idle when nobody used it for the time, in any tab', () => {
  const { state, tab } = browser()
  const [one, other] = [tab(), tab()]
  state.now += 50_000
  other.use()
  state.now += 59_999
  expect([one.isIdle(), other.isIdle()]).toEqual([false, false])
  state.now += 1
  expect([one.isIdle(), other.isIdle()]).toEqual([true, true])
  one.use()
  expect([one.isIdle(), other.isIdle()]).toEqual([false, false])
})

test('a stored time that is no time, or in the future, keeps nothing awake', () => {
  for (const stored of ['soon', '99999999999999']) {
    const { state, items, tab } = browser()
    const one = tab()
    items.set('cashier-console-used', stored)
    state.now += 60_000
    expect(one.isIdle()).toBe(true)
  }
})
