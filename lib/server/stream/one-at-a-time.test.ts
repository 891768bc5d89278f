import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('asked many times at once, it works once and once more, never twice at a time', async () => {
  let working = 0
  let most = 0
  const work = vi.fn(async () => {
    most = Math.max(most, ++working)
    await sleep(5)
    working -= 1
  })
  const looking = oneAtATime(work, () => undefined)
  for (let n = 0; n < 50; n += 1) looking.ask()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2))
  await sleep(150)
  expect([work.mock.calls.length, most]).toEqual([2, 1])
  looking.ask()
  expect(work).toHaveBeenCalledTimes(3)
  looking.stop()
})

test('work that fails is told of, and done again when asked', async () => {
  const work = vi.fn(() => Promise.reject(new Error('away')))
  const onFailure = vi.fn()
  const looking = oneAtATime(work, onFailure)
  looking.ask()
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledTimes(1))
  looking.ask()
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledTimes(2))
  looking.stop()
  looking.ask()
  await sleep(50)
  expect(work).toHaveBeenCalledTimes(2)
})
