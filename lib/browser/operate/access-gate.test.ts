import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { RequestFailure } from '../request-failure.ts'
import { createAccessGate } from './access-gate.ts'
import type { ConsoleClient } from './console-client.ts'
import { guardedClient } from './guarded-client.ts'

const failure = (code: 'unauthenticated' | 'fresh_passkey_required' | 'conflict') =>
  new RequestFailure(code, { requestId: 'r1' })

/** A client whose calls fail in this order, then succeed. */
function failing(...errors: readonly Error[]) {
  const left = [...errors]
  const answer = (): Promise<never> => {
    const error = left.shift()
    return error === undefined ? Promise.resolve('done' as never) : Promise.reject(error)
  }
  const calls = { get: vi.fn(answer), send: vi.fn(answer) }
  return calls satisfies ConsoleClient
}

test('calls of an ended session wait for one sign-in, and are then repeated', async () => {
  const gate = createAccessGate()
  const client = failing(failure('unauthenticated'), failure('unauthenticated'))
  const guarded = guardedClient(client, gate)
  const both = Promise.all([guarded.get('a', z.string()), guarded.send('POST', 'b', {}, z.string())])
  await vi.waitFor(() => expect(gate.asked).toBe('sign-in'))
  await vi.waitFor(() => expect(client.send).toHaveBeenCalledTimes(1))
  gate.answer(true)
  expect(await both).toEqual(['done', 'done'])
  expect(gate.asked).toBeNull()
})

test('an act that needs a touch is repeated after it; a declined one fails as it was refused', async () => {
  const gate = createAccessGate()
  const guarded = guardedClient(failing(failure('fresh_passkey_required')), gate)
  const act = guarded.send('POST', 'b', {}, z.string())
  await vi.waitFor(() => expect(gate.asked).toBe('touch'))
  gate.answer(true)
  expect(await act).toBe('done')
  const declined = guardedClient(failing(failure('fresh_passkey_required')), gate).send('POST', 'b', {}, z.string())
  const refused = expect(declined).rejects.toMatchObject({ code: 'fresh_passkey_required' })
  await vi.waitFor(() => expect(gate.asked).toBe('touch'))
  gate.answer(false)
  await refused
})

test('while a sign-in is asked for, a touch is not', async () => {
  const gate = createAccessGate()
  const shown: unknown[] = []
  gate.subscribe(() => shown.push(gate.asked))
  const touched = gate.ask('touch')
  const signedIn = gate.ask('sign-in')
  const more = gate.ask('touch')
  gate.answer(true)
  expect(await Promise.all([touched, signedIn, more])).toEqual([true, true, true])
  expect(shown).toEqual(['touch', 'sign-in', null])
})

test('other refusals, and the question who is signed in, ask for nothing', async () => {
  const gate = createAccessGate()
  await expect(guardedClient(failing(failure('conflict')), gate).get('a', z.string())).rejects.toThrow('conflict')
  await expect(guardedClient(failing(failure('unauthenticated')), gate).get('me', z.string())).rejects.toThrow()
  expect(gate.asked).toBeNull()
})
