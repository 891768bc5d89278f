import { expect, test } from 'vitest'
import { Chance } from './random.ts'
import { BEGINNING_MS, VirtualClock } from './virtual-clock.ts'

const newClock = (): VirtualClock => new VirtualClock({ chance: new Chance('clock'), settled: () => Promise.resolve() })

test('timers run in the order of their time, including timers that other timers start', async () => {
  const clock = newClock()
  const ran: string[] = []
  clock.after(30, () => ran.push('third'))
  clock.after(10, () => {
    ran.push('first')
    clock.after(10, () => ran.push('second'))
  })
  clock.after(20, () => ran.push('cancelled')).cancelled = true
  await clock.runUntil(BEGINNING_MS + 29)
  expect(ran).toEqual(['first', 'second'])
  expect(clock.now()).toBe(BEGINNING_MS + 29)
  await clock.runUntil(BEGINNING_MS + 100)
  expect(ran).toEqual(['first', 'second', 'third'])
})

test('after a sleep, each timer that became due runs once', async () => {
  const clock = newClock()
  let rounds = 0
  const round = (): void => {
    rounds += 1
    clock.after(1000, round)
  }
  clock.after(1000, round)
  await clock.sleep(3_600_000)
  expect(rounds).toBe(1)
  await clock.runUntil(clock.now() + 2500)
  expect(rounds).toBe(3)
})
