import { expect, test } from 'vitest'
import { nextReconciliation } from './next-reconciliation.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = 1_000 * DAY

const next = (openMs: number | null, unseenMs: number, unreadable = false) =>
  nextReconciliation(NOW, {
    newestOpenMs: openMs === null ? null : NOW - openMs,
    lastSeenMs: NOW - unseenMs,
    unreadable,
  })

test.each([
  [0, 15_000],
  [4 * MINUTE, 15_000],
  [10 * MINUTE, 30_000],
  [HOUR, 45_000],
  [DAY - 1, 45_000],
  [DAY, 15 * MINUTE],
  [8 * DAY, 2 * HOUR],
  [400 * DAY, DAY],
])('a transaction open for %s ms is reconciled after %s ms, however long the user has been away', (openMs, inMs) => {
  for (const unseen of [0, 90 * DAY]) expect(next(openMs, unseen)).toEqual({ inMs, priority: 'open' })
})

test.each([0, 14 * MINUTE, 30 * DAY - 1])(
  'a user with nothing open, seen %s ms ago, is reconciled once a day',
  (unseen) => {
    expect(next(null, unseen)).toEqual({ inMs: DAY, priority: 'sweep' })
  },
)

test('a user with nothing open, not seen for 30 days, is not reconciled until something happens', () => {
  expect(next(null, 30 * DAY)).toBeNull()
})

test('a partly unreadable list comes after all others, but within a minute if something new is open', () => {
  for (const openMs of [0, DAY - 1]) expect(next(openMs, 0, true)).toEqual({ inMs: 45_000, priority: 'open' })
  expect(next(DAY, 0, true)).toEqual({ inMs: 15 * MINUTE, priority: 'sweep' })
  expect(next(null, 90 * DAY, true)).toEqual({ inMs: DAY, priority: 'sweep' })
})
