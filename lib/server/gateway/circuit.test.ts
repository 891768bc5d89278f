import { expect, test } from 'vitest'
import { createCircuit } from './circuit.ts'
import { OutcomeUnknownError, RejectedError } from './errors.ts'

const failing = () => Promise.reject(new OutcomeUnknownError('cut', { operation: 'list_currencies' }))
const refused = () => Promise.reject(new RejectedError('no', { operation: 'list_currencies' }))

test('a gateway that fails counts as down for a while, longer each time, until a read succeeds', async () => {
  let now = 0
  const circuit = createCircuit(() => now)
  const pauses: number[] = []
  for (let failures = 0; failures < 5; failures += 1) {
    await expect(circuit.run(failing)).rejects.toThrow('cut')
    const began = now
    while (circuit.isDown()) now += 1000
    pauses.push(now - began)
  }
  expect(pauses).toEqual([2000, 5000, 15_000, 30_000, 30_000])
  await expect(circuit.run(failing)).rejects.toThrow('cut')
  expect(await circuit.run(() => Promise.resolve('here'))).toBe('here')
  expect(circuit.isDown()).toBe(false)
})

test('after a pause one read tries the gateway, and others do not wait for it', async () => {
  let now = 0
  const circuit = createCircuit(() => now)
  await expect(circuit.run(failing)).rejects.toThrow('cut')
  now = 2000
  expect(circuit.isDown()).toBe(false)
  let answer: (value: string) => void = () => undefined
  const probe = circuit.run(() => new Promise<string>((resolve) => (answer = resolve)))
  expect(circuit.isDown()).toBe(true)
  answer('here')
  expect(await probe).toBe('here')
  expect(circuit.isDown()).toBe(false)
})

test('a gateway that refuses is not down', async () => {
  const circuit = createCircuit(() => 0)
  await expect(circuit.run(refused)).rejects.toThrow('no')
  expect(circuit.isDown()).toBe(false)
})
