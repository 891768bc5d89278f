import { expect, test } from 'vitest'
import { readsFrom } from './reads-from.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 100 * DAY
const RECENT = NOW - HOUR

test.each<[string, Partial<Parameters<typeof readsFrom>[0]>, number | null, number | 'whole']>([
  ['a list that was never read', { reconciled_ms: null, whole_ms: null }, null, 'whole'],
  ['a list whose whole was never read', { whole_ms: null }, null, 'whole'],
  ['nothing open', {}, null, RECENT - 3 * HOUR],
  ['an open state of yesterday', {}, NOW - DAY, NOW - DAY - 3 * HOUR],
  ['an open state that is newer than the last read', {}, NOW, RECENT - 3 * HOUR],
  ['a whole read of almost a day ago', { whole_ms: NOW - DAY + 1 }, null, RECENT - 3 * HOUR],
  ['a whole read of a day ago', { whole_ms: NOW - DAY }, null, 'whole'],
  ['a whole read of a day ago, and an open state', { whole_ms: NOW - DAY }, NOW, 'whole'],
  [
    'a whole read of a day ago, and a quarantined event',
    { whole_ms: NOW - DAY, priority: 'quarantined' },
    null,
    'whole',
  ],
  ['a sweep an hour after the whole read', { priority: 'sweep', whole_ms: NOW - HOUR }, null, 'whole'],
  ['a sweep just after it', { priority: 'sweep', whole_ms: NOW - HOUR + 1 }, null, RECENT - 3 * HOUR],
  ['withdrawals that wait after a restore', { waits_for_whole: 1, whole_ms: NOW - 10_000 }, null, 'whole'],
  ['the same just after a whole read', { waits_for_whole: 1, whole_ms: NOW - 9999 }, null, RECENT - 3 * HOUR],
  [
    'an hour after a whole read that was not complete',
    { incomplete_for_ms: HOUR, whole_ms: NOW - HOUR },
    null,
    'whole',
  ],
  ['the same, after many', { incomplete_for_ms: 30 * DAY, whole_ms: NOW - DAY + 1 }, null, RECENT - 3 * HOUR],
  ['a whole read in the future, by a wrong clock', { whole_ms: NOW + 1 }, null, 'whole'],
])('%s', (_name, claimed, oldestMs, expected) => {
  const read = { reconciled_ms: RECENT, whole_ms: RECENT, waits_for_whole: 0, incomplete_for_ms: null } as const
  const user = { priority: 'open' as const, ...read, ...claimed }
  expect(readsFrom(user, oldestMs === null ? null : { oldestMs }, NOW)).toBe(expected)
})
