/**
 * A load generator in a separate process. The bytes of all requests are ready before the measurement starts, and only
 * the status and length of a response are read, so the generator uses little of the machine that it measures.
 *
 * `node bench/http-load.ts <port> <connections> <count> <file>`: the file is a JSON array of `LoadCall`, sent in turn.
 * Prints a `Load`.
 * @throws when a response is not 200
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { requestBytes, type Load, type LoadCall } from './load.ts'

const [port = '', connections = '', count = '', file = ''] = process.argv.slice(2)

const requests = (JSON.parse(readFileSync(file, 'utf8')) as readonly LoadCall[]).map((call) => requestBytes(call, port))
const times: number[] = []
let sent = 0

const END_OF_HEAD = Buffer.from('\r\n\r\n')

const connection = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost')
    let began = 0
    let awaited = 0
    const send = (): void => {
      const request = requests[sent % requests.length]
      if (sent >= Number(count) || request === undefined) {
        socket.end()
        resolve()
        return
      }
      sent += 1
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

const began = performance.now()
await Promise.all(Array.from({ length: Number(connections) }, connection))
const ended = performance.now()
times.sort((a, b) => a - b)
const result: Load = {
  perSecond: (times.length * 1000) / (ended - began),
  p50: times[Math.floor(times.length * 0.5)] ?? NaN,
  p99: times[Math.floor(times.length * 0.99)] ?? NaN,
  beganMs: performance.timeOrigin + began,
  endedMs: performance.timeOrigin + ended,
}
console.log(JSON.stringify(result))
process.exit(0)
