import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSessionUses } from './session-uses.ts'

beforeEach(() => void vi.useFakeTimers({ now: 5000 }))
afterEach(() => void vi.useRealTimers())

function uses(fails = false) {
  const stored: (readonly [count: number, now: number])[] = []
  const faults: unknown[] = []
  const made = createSessionUses({
    sessions: {
      touchSessions: async (ids, now) => {
        if (fails) throw new Error('away')
        stored.push([ids.length, now])
      },
    },
    limits: { idleMs: 1_800_000 },
    clock: Date.now,
    onFault: (error) => faults.push(error),
  })
  return { ...made, stored, faults }
}

test('uses of five seconds are stored together, a thousand sessions in one transaction', async () => {
  const { note, stored } = uses()
  for (let time = 0; time < 2; time += 1) for (let id = 0; id < 2500; id += 1) note(String(id))
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(5000)
  expect(stored.map(([count]) => count)).toEqual([1000, 1000, 500])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stored).toHaveLength(3)
  note('again')
  await vi.advanceTimersByTimeAsync(5000)
  expect(stored.at(-1)).toEqual([1, 75_000])
})

test('what waits is stored at the stop, and no timer is left', async () => {
  const { note, flush, stored } = uses()
  note('s')
  await flush()
  expect(stored).toEqual([[1, 5000]])
  expect(vi.getTimerCount()).toBe(0)
})

test('a failure is reported, and the next use is stored anew', async () => {
  const { note, faults } = uses(true)
  note('s')
  await vi.advanceTimersByTimeAsync(5000)
  note('s')
  await vi.advanceTimersByTimeAsync(5000)
  expect(faults).toHaveLength(2)
})
