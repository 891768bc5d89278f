import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createStop, onParentGone } from './stop.ts'

const steps = (drainS: number) => {
  const done: string[] = []
  const stop = createStop({
    drainS,
    announce: () => done.push('announced'),
    end: () => Promise.resolve(void done.push('ended')),
  })
  return { done, stop }
}

test('it reports not ready at once, and keeps answering for the time that a load balancer needs', async () => {
  const { done, stop } = steps(1)
  const stopped = stop()
  expect(done).toEqual(['announced'])
  await sleep(100)
  expect(done).toEqual(['announced'])
  await stopped
  expect(done).toEqual(['announced', 'ended'])
})

test('a second signal ends the wait, and calls `end` only once', async () => {
  const { done, stop } = steps(60)
  const stopped = stop()
  await sleep(1100)
  await stop()
  await stopped
  expect(done).toEqual(['announced', 'ended'])
})

test('a signal that npm passes on once more does not end the wait', async () => {
  const { done, stop } = steps(1)
  const stopped = stop()
  await stop()
  await sleep(100)
  expect(done).toEqual(['announced'])
  await stopped
  expect(done).toEqual(['announced', 'ended'])
})

test('the end of the parent process is reported once', async () => {
  let parent = 7
  let told = 0
  onParentGone(
    () => (told += 1),
    () => parent,
    20,
  )
  await sleep(60)
  expect(told).toBe(0)
  parent = 1
  await vi.waitFor(() => expect(told).toBe(1))
  await sleep(60)
  expect(told).toBe(1)
})
