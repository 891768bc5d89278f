import { Agent, request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { findPort, finish, listen } from './server.ts'

/** Answers after `answerMs`; returns when the server has finished, in milliseconds after the call. */
async function stopDuring(answerMs: number, graceMs: number): Promise<{ answered: boolean; finishedMs: number }> {
  const arrived = Promise.withResolvers<undefined>()
  const { server, port } = await listen({ port: 0, host: '127.0.0.1' }, (_request, response) => {
    arrived.resolve(undefined)
    setTimeout(() => response.end('done'), answerMs)
  })
  const agent = new Agent({ keepAlive: true })
  const answer = new Promise<boolean>((resolve) => {
    httpRequest({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume().once('end', () => resolve(true))
    })
      .once('error', () => resolve(false))
      .end()
  })
  await arrived.promise
  const began = performance.now()
  await finish(server, graceMs)
  const finishedMs = performance.now() - began
  const answered = await answer
  agent.destroy()
  return { answered, finishedMs }
}

test('running requests are finished, and a kept-alive connection delays nobody', async () => {
  const { answered, finishedMs } = await stopDuring(400, 60_000)
  expect(answered).toBe(true)
  expect(finishedMs).toBeLessThan(50_000)
})

test('a request that takes too long is cut off', async () => {
  const { answered, finishedMs } = await stopDuring(60_000, 300)
  expect(answered).toBe(false)
  expect(finishedMs).toBeLessThan(50_000)
})

test('a found port is closed again, and a taken port is reported', async () => {
  const local = { port: 0, host: '127.0.0.1' }
  const port = await findPort(local)
  expect(port).toBeGreaterThan(0)
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  const { server } = await listen({ ...local, port }, (_request, response) => response.end('ok'))
  await expect(findPort({ ...local, port })).rejects.toThrow('EADDRINUSE')
  await finish(server, 100)
})
