import { expect, test } from 'vitest'
import { createSharedReads } from './shared-reads.ts'

/** Reads that the test ends. */
function reads() {
  const ends: ((value: number) => void)[] = []
  const fails: ((error: Error) => void)[] = []
  const share = createSharedReads<number>()
  const ask = (key = 'a'): Promise<number> =>
    share(
      key,
      () =>
        new Promise((resolve, reject) => {
          ends.push(resolve)
          fails.push(reject)
        }),
    )
  return { ends, fails, ask, turn: () => new Promise((resolve) => setImmediate(resolve)) }
}

test('callers during a running read share the next read, which begins after they came', async () => {
  const { ends, ask, turn } = reads()
  const first = ask()
  const later = [ask(), ask()]
  expect(ends).toHaveLength(1)
  ends[0]?.(1)
  expect(await first).toBe(1)
  await turn()
  expect(ends).toHaveLength(2)
  const last = ask()
  ends[1]?.(2)
  expect(await Promise.all(later)).toEqual([2, 2])
  await turn()
  ends[2]?.(3)
  expect(await last).toBe(3)
  expect(ends).toHaveLength(3)
})

test('reads with other keys do not wait, and a failed read fails only its own callers', async () => {
  const { ends, fails, ask, turn } = reads()
  const [first, second, other] = [ask('a'), ask('a'), ask('b')]
  expect(ends).toHaveLength(2)
  fails[0]?.(new Error('away'))
  await expect(first).rejects.toThrow('away')
  ends[1]?.(5)
  expect(await other).toBe(5)
  await turn()
  ends[2]?.(6)
  expect(await second).toBe(6)
})
