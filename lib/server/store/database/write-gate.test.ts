import { expect, test, vi } from 'vitest'
import { SilentWritesError, writeGate } from './write-gate.ts'

test('writes pass an open gate without a probe, and a closed gate after one probe for all', async () => {
  const answered = Promise.withResolvers<undefined>()
  const probe = vi.fn(() => answered.promise)
  const gate = writeGate(probe)
  await gate.pass()
  gate.close()
  const writes = [gate.pass(), gate.pass()]
  answered.resolve(undefined)
  await Promise.all(writes)
  await gate.pass()
  expect([probe.mock.calls.length, gate.isClosed]).toEqual([1, false])
})

test('a closed gate refuses writes until a probe succeeds, or a commit does', async () => {
  const away = (): Promise<void> => Promise.reject(new Error('away'))
  const probe = vi.fn(away)
  const gate = writeGate(probe)
  gate.close()
  await expect(gate.pass()).rejects.toThrow(SilentWritesError)
  // Too soon for another probe.
  await expect(gate.pass()).rejects.toThrow(SilentWritesError)
  expect(probe).toHaveBeenCalledTimes(1)
  gate.open()
  await gate.pass()
  gate.close()
  probe.mockImplementation(() => Promise.resolve())
  await vi.waitFor(() => gate.pass())
})

test('a write does not wait for a probe that is not answered', async () => {
  const gate = writeGate(() => new Promise(() => undefined))
  gate.close()
  await expect(gate.pass()).rejects.toThrow(SilentWritesError)
})
