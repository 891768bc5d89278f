/**
 * A load generator in a separate process. The bytes of all requests are ready before the measurement starts, and only
 * the status and length of a response are read, so the generator uses little of the machine that it measures.
 *
 * `node bench/http-load.ts <connections> <count> <file>`: the file is a JSON array of `PortCalls`. Each port gets `count`
 * requests over its own `connections`, all ports at the same time. Prints a `Load` of all.
 * @throws when a response is not 200
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { requestBytes, type Load, type PortCalls } from './load.ts'

const [connections = '', count = '', file = ''] = process.argv.slice(2)

const times: number[] = []

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** The bytes of `count` requests, in turn. */
function* inTurn(requests: readonly Buffer[]): Generator<Buffer, void> {
  for (let sent = 0; sent < Number(count); sent += 1) yield requests[sent % requests.length] ?? Buffer.alloc(0)
}

const connection = (port: string, requests: Iterator<Buffer, void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost')
    let began = 0
    let awaited = 0
    const send = (): void => {
      const { value: request } = requests.next()
      if (request === undefined) {
        socket.end()
        resolve()
        return
      }
      awaited = 0
      began = performance.now()
      socket.write(request)
    }
    const readHead = (chunk: Buffer): boolean => {
      const end = chunk.indexOf(END_OF_HEAD)
      const head = chunk.toString('latin1', 0, end)
      const length = /^content-length: (\d+)/im.exec(head)?.[1]
      if (end < 0 || length === undefined || !head.startsWith('HTTP/1.1 200')) {
        reject(new Error(chunk.toString('utf8')))
        return false
      }
      awaited = end + END_OF_HEAD.length + Number(length)
      return true
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      // The head of a response always arrives in one chunk.
      if (awaited === 0 && !readHead(chunk)) return
      awaited -= chunk.length
      if (awaited > 0) return
      times.push(performance.now() - began)
      send()
    })
  })

const ports = (JSON.parse(readFileSync(file, 'utf8')) as readonly PortCalls[]).map(({ port, calls }) => {
  return { port, requests: inTurn(calls.map((call) => requestBytes(call, port))) }
})
const began = performance.now()
await Promise.all(
  ports.flatMap(({ port, requests }) => Array.from({ length: Number(connections) }, () => connection(port, requests))),
)
const ended = performance.now()
times.sort((a, b) => a - b)
const result: Load = {
  perSecond: (times.length * 1000) / (ended - began),
  p50: times[Math.floor(times.length * 0.5)] ?? NaN,
  p99: times[Math.floor(times.length * 0.99)] ?? NaN,
}
console.log(JSON.stringify(result))
process.exit(0)
