import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connectionLimits, limitConnections, openFilesLimit } from './idle-connections.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function start(mostIdle: number) {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/wait') waiting.push(response)
    else response.end('done')
  })
  servers.push(server)
  limitConnections(server, { most: 100, mostIdle })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    await Promise.all([once(socket, 'connect'), once(server, 'connection')])
    return socket
  }
  const ask = (socket: Socket, path: string): void =>
    void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return { server, open, ask, waiting }
}

const closed = (sockets: readonly Socket[]): readonly boolean[] => sockets.map((socket) => socket.closed)

test('one idle connection too many closes the oldest, and a new one is answered', async () => {
  const { open, ask } = await start(3)
  const strangers = [await open(), await open(), await open()]
  const oldest = once(strangers[0] as Socket, 'close')
  const honest = await open()
  await oldest
  ask(honest, '/')
  const [answer] = (await once(honest, 'data')) as [Buffer]
  expect(answer.toString()).toContain('200 OK')
  expect(closed(strangers)).toEqual([true, false, false])
})

test('a connection is not idle during a request, and idle again after the answer', async () => {
  const { server, open, ask, waiting } = await start(1)
  const busy = await open()
  ask(busy, '/wait')
  // If two requests arrive together, the second is still running after the first is answered.
  ask(busy, '/wait')
  await once(server, 'request')
  if (waiting.length < 2) await once(server, 'request')
  waiting[0]?.end('one')
  await once(busy, 'data')
  const stranger = await open()
  const next = await open()
  if (!stranger.closed) await once(stranger, 'close')
  expect(closed([busy, stranger, next])).toEqual([false, true, false])

  const gone = once(next, 'close')
  waiting[1]?.end('two')
  await gone
  expect(closed([busy, next])).toEqual([false, true])
})

test.each([
  [Infinity, { most: 20_000, mostIdle: 18_000 }],
  [1_048_576, { most: 20_000, mostIdle: 18_000 }],
  [20_000, { most: 19_000, mostIdle: 17_100 }],
  [1024, { most: 768, mostIdle: 691 }],
])('with %d files: %j', (files, limits) => {
  expect(connectionLimits(files)).toEqual(limits)
})

test('the limit of open files is read from the system', () => {
  expect(openFilesLimit()).toBeGreaterThan(100)
})
