import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { nextFreePort } from './next-free-port.ts'

test('a free port is taken as wanted, a taken one is passed over', async () => {
  const wanted = await freePort()
  expect(await nextFreePort(wanted)).toBe(wanted)

  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const next = await nextFreePort(wanted)
  server.close()
  expect(next).toBeGreaterThan(wanted)
})
