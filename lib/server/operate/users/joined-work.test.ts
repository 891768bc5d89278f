import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJoinedWork } from './joined-work.ts'

test('work that takes long goes on, is begun once, and the same call fetches its outcome', async () => {
  const work = createJoinedWork<number>({ waitMs: 20, keepMs: 60_000 })
  let begun = 0
  const long = async (): Promise<number> => {
    begun += 1
    await sleep(100)
    return begun
  }
  expect(await Promise.all([work.join('a', long), work.join('a', long)])).toEqual([null, null])
  await sleep(120)
  expect([await work.join('a', long), begun]).toEqual([1, 1])
  expect(await work.join('b', () => Promise.resolve(7))).toBe(7)
})

test('work that fails says why, once, and can be begun again', async () => {
  const work = createJoinedWork<number>({ waitMs: 1000, keepMs: 60_000 })
  await expect(work.join('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await work.join('a', () => Promise.resolve(1))).toBe(1)
})
