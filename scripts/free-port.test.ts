import { once } from 'node:events'
import { createServer } from 'node:net'
import { clearLockedPorts } from 'get-port'
import { expect, test } from 'vitest'
import { freePort, nextFreePort } from './free-port.ts'

test('a free port is below the range of outgoing connections, and different each time', async () => {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort))
  expect(new Set(ports).size).toBe(5)
  for (const port of ports) expect(port >= 20_000 && port < 32_000).toBe(true)
})

test.each(['127.0.0.1', '::1'])('the preferred port is used when free, and skipped when taken on %s', async (host) => {
  const preferred = await freePort()
  clearLockedPorts()
  expect(await nextFreePort(preferred)).toBe(preferred)
  clearLockedPorts()

  const server = createServer().listen(preferred, host)
  await once(server, 'listening')
  const next = await nextFreePort(preferred)
  server.close()
  expect(next).toBeGreaterThan(preferred)
})
