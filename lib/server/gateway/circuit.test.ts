import { expect, test } from 'vitest'
import { createCircuit, createListCircuits, FAILURES_TO_OPEN } from './circuit.ts'
import {
  OutcomeUnknownError,
  RejectedError,
  UnreachableError,
  UnreadableReplyError,
  type GatewayError,
} from './errors.ts'

const operation = 'list_currencies'
const cut = () => Promise.reject(new OutcomeUnknownError('cut', { operation }))

async function failTimes(circuit: ReturnType<typeof createCircuit>, times: number, failing = cut): Promise<void> {
  for (let failures = 0; failures < times; failures += 1) await expect(circuit.run(failing)).rejects.toThrow()
}

test('several failures in a row count as an outage, longer each time, until a read succeeds', async () => {
  let now = 0
  const circuit = createCircuit(() => now)
  await failTimes(circuit, FAILURES_TO_OPEN - 1)
  expect(circuit.isDown()).toBe(false)
  const pauses: number[] = []
  for (let failures = 0; failures < 5; failures += 1) {
    await failTimes(circuit, 1)
    const began = now
    while (circuit.isDown()) now += 1000
    pauses.push(now - began)
  }
  expect(pauses).toEqual([2000, 5000, 15_000, 30_000, 30_000])
  await failTimes(circuit, 1)
  expect(await circuit.run(() => Promise.resolve('here'))).toBe('here')
  expect(circuit.isDown()).toBe(false)
  await failTimes(circuit, FAILURES_TO_OPEN - 1)
  expect(circuit.isDown()).toBe(false)
})

test('a pause does not grow when the clock is set back', async () => {
  let now = 3_600_000
  const circuit = createCircuit(() => now)
  await failTimes(circuit, FAILURES_TO_OPEN)
  expect(circuit.isDown()).toBe(true)
  now = 0
  expect(circuit.isDown()).toBe(false)
  await failTimes(circuit, 1)
  expect(circuit.isDown()).toBe(true)
})

test('after a pause one read tries the gateway, and others do not wait for it', async () => {
  let now = 0
  const circuit = createCircuit(() => now)
  await failTimes(circuit, FAILURES_TO_OPEN)
  expect(circuit.isDown()).toBe(true)
  now = 2000
  expect(circuit.isDown()).toBe(false)
  let answer: (value: string) => void = () => undefined
  const probe = circuit.run(() => new Promise<string>((resolve) => (answer = resolve)))
  expect(circuit.isDown()).toBe(true)
  answer('here')
  expect(await probe).toBe('here')
  expect(circuit.isDown()).toBe(false)
})

test('reads that fail together lengthen the pause once', async () => {
  let now = 0
  const circuit = createCircuit(() => now)
  const reads = Array.from({ length: 20 }, () => circuit.run(cut).catch(() => undefined))
  await Promise.all(reads)
  now = 2000
  expect(circuit.isDown()).toBe(false)
})

test.each<[string, GatewayError, boolean]>([
  ['a timeout or a cut connection', new OutcomeUnknownError('cut', { operation }), true],
  ['no connection', new UnreachableError('refused', { operation }), true],
  ['503', new OutcomeUnknownError('away', { operation, status: 503 }), true],
  ['408', new OutcomeUnknownError('slow', { operation, status: 408 }), true],
  ['a redirect', new OutcomeUnknownError('moved', { operation, status: 302 }), false],
  ['a reply that cannot be read', new UnreadableReplyError('garbled', { operation, status: 200 }), false],
  ['a refusal', new RejectedError('no', { operation, status: 400 }), false],
])('%s', async (_name, error, opens) => {
  const circuit = createCircuit(() => 0)
  await failTimes(circuit, 50, () => Promise.reject(error))
  expect(circuit.isDown()).toBe(opens)
})

test('a user whose list failed does not wait again; other reads continue until several of them fail', async () => {
  let now = 0
  const shared = createCircuit(() => now)
  const circuits = createListCircuits(() => now, shared)
  const garbled = () => Promise.reject(new UnreadableReplyError('garbled', { operation, status: 200 }))
  for (let times = 0; times < 50; times += 1) await circuits.run('poor', garbled).catch(() => undefined)
  expect([circuits.isDown('poor'), circuits.isDown('other'), shared.isDown()]).toEqual([true, false, false])
  now += 30_000
  expect(circuits.isDown('poor')).toBe(false)
  expect(await circuits.run('poor', () => Promise.resolve('here'))).toBe('here')
  for (const user of ['a', 'b', 'c']) await circuits.run(user, cut).catch(() => undefined)
  expect([circuits.isDown('other'), shared.isDown()]).toEqual([true, true])
})
