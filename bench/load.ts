import { Agent, request } from 'node:http'

export interface Load {
  readonly perSecond: number
  /** Milliseconds that 99 of 100 stayed below. */
  readonly p99: number
}

export interface Post {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function send(agent: Agent, url: URL, { body, headers }: Post): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { agent, method: 'POST', headers: { ...headers, ...length } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject).end(body)
  })
}

/**
 * Sends every post once over kept-alive connections, so many at a time.
 * @throws when one of them is not answered 200
 */
export async function load(url: URL, posts: readonly Post[], atATime: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: atATime })
  const times: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let post = posts[next++]; post !== undefined; post = posts[next++]) {
      const began = performance.now()
      const status = await send(agent, url, post)
      if (status !== 200) throw new Error(`answered ${status}`)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atATime }, lane))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return { perSecond: posts.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}
