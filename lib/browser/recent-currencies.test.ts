import { expect, test } from 'vitest'
import { createRecentCurrencies } from './recent-currencies.ts'

function storage(kept: string | null = null) {
  const box = { text: kept }
  return {
    box,
    open: () => ({
      getItem: () => box.text,
      setItem: (_key: string, text: string) => {
        box.text = text
      },
    }),
  }
}

test('the list has the latest currency first, each once, at most four, and is kept for the next visit', () => {
  const { box, open } = storage()
  const recent = createRecentCurrencies(open)
  for (const id of ['a', 'b', 'a', 'c', 'd', 'e']) recent.use(id)
  expect(recent.list()).toEqual(['e', 'd', 'c', 'a'])
  expect(createRecentCurrencies(open).list()).toEqual(['e', 'd', 'c', 'a'])
  expect(box.text).toBe('["e","d","c","a"]')
})

test.each(['{', '{"a":1}', '[1,2]'])('%s in the storage is ignored', (text) => {
  expect(createRecentCurrencies(storage(text).open).list()).toEqual([])
})

test('without storage the list lasts as long as the page', () => {
  const recent = createRecentCurrencies(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  recent.use('a')
  expect(recent.list()).toEqual(['a'])
})
