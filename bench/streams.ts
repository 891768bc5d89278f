/** What an open stream holds in memory. The peer is bare node:http that sends the headers and one comment. */
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startStack } from '../e2e/fixtures/stack.ts'
import { launchSession } from '../e2e/system/page.ts'
import type { Row } from './table.ts'

const COUNT = 1000

function open(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { headers, agent: false }, (response) => {
      if (response.statusCode === 200) resolve(response.resume())
      else reject(new Error(`${url} answered ${response.statusCode ?? 0}`))
    })
    outgoing.on('error', reject)
  })
}

/** Kilobytes a stream, from what the process says of itself before and after. */
async function cost(
  url: string,
  headers: Readonly<Record<string, string>>,
  resident: () => Promise<number>,
): Promise<number> {
  const before = await resident()
  const streams: IncomingMessage[] = []
  for (let at = 0; at < COUNT; at += 50) {
    streams.push(...(await Promise.all(Array.from({ length: 50 }, () => open(url, headers)))))
  }
  const after = await resident()
  for (const stream of streams) stream.destroy()
  return (after - before) / COUNT / 1000
}

async function bare(): Promise<number> {
  const held: ServerResponse[] = []
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
    held.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // Both ends of each stream live in this process, so half of it is the server's.
  const both = await cost(url, {}, () => Promise.resolve(process.memoryUsage.rss()))
  for (const response of held) response.end()
  server.close()
  return both / 2
}

export async function streams(): Promise<readonly Row[]> {
  const stack = await startStack({ cashier: { RATE_LIMIT: 'off' } })
  try {
    const { url } = stack.cashier
    const session = await stack.cashier.api.createSession({ user_reference_id: 'bench' })
    const headers = { cookie: await launchSession(url, session) }
    const resident = async (): Promise<number> => {
      const text = await (await fetch(`${url}/api/metrics`)).text()
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
    }
    const ours = await cost(`${url}/api/cashier/events?session=${session.session_id}`, headers, resident)
    return [{ what: 'kilobytes an open stream', ours, peer: await bare() }]
  } finally {
    await stack.stop()
  }
}
