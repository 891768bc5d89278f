import { expect, test } from 'vitest'
import { watchForSleep } from './sleep-watch.ts'

test('`onWake` is called after sleep and after a change of the clock, not after the slow timers of a hidden page', () => {
  let clock = 0
  let wakes = 0
  let tick = (): void => undefined
  const stop = watchForSleep({
    now: () => clock,
    setTicker: (run) => {
      tick = run
      return () => (tick = () => undefined)
    },
    onWake: () => (wakes += 1),
  })
  const after = (ms: number): number => {
    clock += ms
    tick()
    return wakes
  }
  expect([after(15_000), after(60_000), after(60_000)]).toEqual([0, 0, 0])
  expect([after(3_600_000), after(15_000), after(121_000)]).toEqual([1, 1, 2])
  expect([after(-3_600_000), after(15_000)]).toEqual([3, 3])
  stop()
  expect(after(3_600_000)).toBe(3)
})
