import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { preparedResults } from './prepared-results.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failed = { ok: false, code: 'gateway_unavailable' } as const
const load = () => Promise.resolve(failed)

test('the page takes the result once, also a failure', async () => {
  const prepared = preparedResults()
  prepared.prepare('s1 usdt', load)
  expect(prepared.take('s2 usdt')).toBeNull()
  expect(await prepared.take('s1 usdt')).toBe(failed)
  expect(prepared.take('s1 usdt')).toBeNull()
})

test('what no page takes is forgotten', () => {
  const prepared = preparedResults()
  prepared.prepare('s1 usdt', load)
  vi.advanceTimersByTime(10_001)
  expect(prepared.take('s1 usdt')).toBeNull()
})

test('no more than a thousand are kept', () => {
  const prepared = preparedResults()
  for (let at = 0; at <= 1000; at += 1) prepared.prepare(`s${at}`, load)
  expect(prepared.take('s999')).not.toBeNull()
  expect(prepared.take('s1000')).toBeNull()
})
