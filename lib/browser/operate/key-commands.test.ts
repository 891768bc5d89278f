import { expect, test } from 'vitest'
import { keyCommand, type PressedKey } from './key-commands.ts'

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})
const kind = (pressed: PressedKey, typing = false, afterG = false) => keyCommand(pressed, typing, afterG)?.kind

test.each([
  ['/', 'search'],
  ['?', 'keys'],
  ['j', 'next-row'],
  ['k', 'previous-row'],
  ['g', 'wait-for-letter'],
  ['x', undefined],
  ['Enter', undefined],
])('%s means %s', (key, meaning) => {
  expect(kind(press(key))).toBe(meaning)
})

test('a letter after g goes to a page, also one that means something else alone', () => {
  expect(keyCommand(press('j'), false, true)).toEqual({ kind: 'page', letter: 'j' })
  expect(kind(press('?'), false, true)).toBe('keys')
})

test('while somebody types, and with modifiers, only the palette opens', () => {
  for (const key of ['/', '?', 'j', 'k', 'g']) {
    expect(kind(press(key), true)).toBeUndefined()
    expect(kind(press(key, { altKey: true }))).toBeUndefined()
    expect(kind(press(key, { ctrlKey: true }))).toBe(key === 'k' ? 'palette' : undefined)
  }
  expect(kind(press('K', { metaKey: true }), true)).toBe('palette')
  expect(kind(press('k', { ctrlKey: true, altKey: true }))).toBeUndefined()
})
