import { Agent, request } from 'node:http'

export interface Load {
  readonly perSecond: number
  /** Milliseconds that 99 of 100 stayed below. */
  readonly p99: number
}

export interface LoadCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
}

function send(agent: Agent, base: URL, { method, path, body, headers }: LoadCall): Promise<number> {
  return new Promise((resolve, reject) => {
    const entity =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { agent, method, headers: { ...headers, ...entity } }
    const outgoing = request(new URL(path, base), options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject).end(body)
  })
}

/**
 * Sends every call once over kept-alive connections, so many at a time.
 * @throws when one of them is not answered 200
 */
export async function load(base: URL, calls: readonly LoadCall[], atATime: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime })
  const times: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
      const began = performance.now()
      const status = await send(agent, base, call)
      if (status !== 200) throw new Error(`${call.path} answered ${status}`)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atATime }, lane))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return { perSecond: calls.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}
