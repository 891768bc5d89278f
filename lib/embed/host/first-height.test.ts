import { afterEach, expect, test, vi } from 'vitest'
import { firstHeight, rememberHeight } from './first-height.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  }
}

afterEach(() => vi.unstubAllGlobals())

test('a frame starts with the usual height of the first page for its width', () => {
  vi.stubGlobal('localStorage', storage())
  expect([320, 344, 400, 480].map(firstHeight)).toEqual([1017, 973, 953, 934])
})

test('the next frame starts with the last height', () => {
  vi.stubGlobal('localStorage', storage())
  rememberHeight(344, 579)
  expect([360, 480].map(firstHeight)).toEqual([579, 934])
})

test('an impossible stored height is ignored, and storage may be denied', () => {
  vi.stubGlobal('localStorage', { getItem: () => '9999999', setItem: () => undefined })
  expect(firstHeight(344)).toBe(973)
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new Error('denied')
    },
    setItem() {
      throw new Error('denied')
    },
  })
  rememberHeight(344, 579)
  expect(firstHeight(344)).toBe(973)
})
