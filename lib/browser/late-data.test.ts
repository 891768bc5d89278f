import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { watchForLateData } from './late-data.ts'

function page() {
  const cache = new QueryClient()
  let clock = 1000
  const { changed, stop } = watchForLateData({ cache, now: () => clock })
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
  return {
    changed,
    stop,
    later: (ms: number) => (clock += ms),
    /** Adds data as server rendering does. */
    arrives: async (queryKey: readonly string[]): Promise<boolean> => {
      const rendered = new QueryClient()
      rendered.setQueryData(queryKey, ['read before'])
      hydrate(cache, dehydrate(rendered))
      await settle()
      return cache.getQueryState(queryKey)?.isInvalidated === true
    },
    /** Adds a query as a component does. */
    isAskedFor: async (queryKey: readonly string[]): Promise<boolean> => {
      cache.getQueryCache().build(cache, { queryKey })
      await settle()
      return cache.getQueryState(queryKey)?.isInvalidated === true
    },
  }
}

test('data that arrives shortly after an event about it is read again', async () => {
  const { changed, arrives } = page()
  changed(['transactions'])
  expect(await arrives(['transactions', 'first=20'])).toBe(true)
  expect(await arrives(['balances'])).toBe(false)
})

test('data that arrives long after the event, or that the page requests itself, is not read again', async () => {
  const { changed, arrives, isAskedFor, later } = page()
  changed(['transactions'])
  expect(await isAskedFor(['transactions', 'first=5'])).toBe(false)
  later(10_000)
  expect(await arrives(['transactions', 'first=20'])).toBe(false)
  changed(['balances'])
  expect(await arrives(['transactions', 'first=30'])).toBe(false)
})

test('after stop nothing is read again', async () => {
  const { changed, arrives, stop } = page()
  changed(['balances'])
  stop()
  expect(await arrives(['balances'])).toBe(false)
})
