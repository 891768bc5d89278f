import { expect, test, vi } from 'vitest'
import { createKeyUses } from './key-uses.ts'

function setUp() {
  const time = { now: 1_000_000 }
  const use = vi.fn((_id: string, _now: number, _since: number) => Promise.resolve())
  const faults: unknown[] = []
  const uses = createKeyUses({ keys: { use }, clock: () => time.now, onFault: (error) => void faults.push(error) })
  return { time, use, faults, uses }
}

test('a use is stored at most once a minute', () => {
  const { time, use, uses } = setUp()
  uses.note({ id: 'a', last_used_ms: null })
  uses.note({ id: 'a', last_used_ms: null })
  expect(use.mock.calls).toEqual([['a', 1_000_000, 940_000]])
  uses.note({ id: 'b', last_used_ms: null })
  time.now += 59_999
  uses.note({ id: 'a', last_used_ms: null })
  expect(use).toHaveBeenCalledTimes(2)
  time.now += 1
  uses.note({ id: 'a', last_used_ms: null })
  expect(use).toHaveBeenLastCalledWith('a', 1_060_000, 1_000_000)
})

test('a use that another instance has stored counts', () => {
  const { use, uses } = setUp()
  uses.note({ id: 'a', last_used_ms: 999_000 })
  expect(use).not.toHaveBeenCalled()
})

test('flush waits for what is being stored, and a failure is told', async () => {
  const { use, uses, faults } = setUp()
  let fail: (error: Error) => void = () => undefined
  use.mockReturnValueOnce(
    new Promise((_resolve, reject) => {
      fail = reject
    }),
  )
  uses.note({ id: 'a', last_used_ms: null })
  const flushed = uses.flush()
  const error = new Error('away')
  fail(error)
  await flushed
  expect(faults).toEqual([error])
})
