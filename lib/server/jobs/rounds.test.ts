import { expect, test } from 'vitest'
import { createVirtualTime } from './testing/virtual-time.ts'
import { createRounds, type RoundsOptions } from './rounds.ts'

const OPTIONS = { everyMs: 1000, soonMs: 50, longestMs: 5000 }

/** Starts rounds at these times; `change` simulates a change of the database. */
function start(round: () => Promise<number | null>, more: Partial<RoundsOptions> = {}) {
  const time = createVirtualTime(0)
  const at: number[] = []
  const faults: unknown[] = []
  const listeners = new Set<() => void>()
  const rounds = createRounds({
    ...OPTIONS,
    round: () => {
      at.push(time.clock())
      return round()
    },
    onFault: (error) => faults.push(error),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sleep: time.sleep,
    ...more,
  })
  rounds.start()
  const change = (): void => {
    for (const listener of listeners) listener()
  }
  return { time, at, faults, rounds, change, listeners }
}

const nothingDue = (): Promise<null> => Promise.resolve(null)

test('if nothing is due, the next round comes after the longest time', async () => {
  const { time, at } = start(nothingDue)
  await time.run(11_000)
  expect(at).toEqual([0, 5000, 10_000])
})

test('the next round runs when the next work is due, but not before the shortest interval has passed', async () => {
  const due = [2300, 10, 7000]
  const { time, at } = start(() => Promise.resolve(due.shift() ?? null))
  await time.run(9000)
  expect(at).toEqual([0, 2300, 3300, 8300])
})

test('a change starts a round at once if the last round is long ago, and many changes start one', async () => {
  const { time, at, change } = start(nothingDue)
  await time.run(2000)
  for (let n = 0; n < 5; n += 1) change()
  await time.run(100)
  for (let n = 0; n < 5; n += 1) change()
  await time.run(2000)
  expect(at).toEqual([0, 2000, 3000])
})

test('a change in the middle of a round starts another', async () => {
  const under = Promise.withResolvers<null>()
  const { time, at, change } = start(() => under.promise)
  await time.run(10)
  change()
  under.resolve(null)
  await time.run(2000)
  expect(at).toEqual([0, 1010])
})

test('wake starts the next round soon', async () => {
  const { time, at, rounds } = start(() => Promise.resolve(0))
  await time.run(10)
  rounds.wake()
  await time.run(500)
  expect(at).toEqual([0, 50])
})

test('a failed round is reported and repeated after a second', async () => {
  let left = 2
  const { time, at, faults } = start(
    () => ((left -= 1) >= 0 ? Promise.reject(new Error('away')) : Promise.resolve(null)),
    { everyMs: 20, soonMs: 20 },
  )
  await time.run(3000)
  expect(at).toEqual([0, 1000, 2000])
  expect(faults).toHaveLength(2)
})

test('on stop it waits for the round under way, starts no other, and stops listening', async () => {
  const under = Promise.withResolvers<null>()
  const { time, at, rounds, change, listeners } = start(() => under.promise)
  await time.run(10)
  const stopped = rounds.stop()
  change()
  under.resolve(null)
  await stopped
  await time.run(20_000)
  expect(at).toEqual([0])
  expect(listeners.size).toBe(0)
})
