import { expect, test } from 'vitest'
import { createRecentPages } from './recent-pages.ts'

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}
const page = (n: number) => ({ href: `/operate/users/u${n}`, label: `u${n}` })

test('the newest page comes first, each once, at most eight, and none after a sign-out', () => {
  const storage = memory()
  const recent = createRecentPages(() => storage)
  for (let n = 1; n <= 9; n += 1) recent.add(page(n))
  recent.add(page(5))
  expect(recent.list().map(({ label }) => label)).toEqual(['u5', 'u9', 'u8', 'u7', 'u6', 'u4', 'u3', 'u2'])
  recent.clear()
  expect(recent.list()).toEqual([])
})

test('without storage, or with foreign data in it, there are none', () => {
  const refused = createRecentPages(() => {
    throw new Error('refused')
  })
  refused.add(page(1))
  refused.clear()
  expect(refused.list()).toEqual([])
  const foreign = memory()
  foreign.setItem('cashier-console-recent', '[{"href":1}]')
  expect(createRecentPages(() => foreign).list()).toEqual([])
})
