/**
 * A load generator for webhooks in a separate process. The bytes of all requests are ready before the measurement
 * starts, and only the status and length of a response are read, so the generator uses little of the machine that it
 * measures.
 *
 * `node bench/webhook-load.ts <port> <connections> <file>`: the file is a JSON array of `[headers, body]`. Prints
 * `{"perSecond", "p99"}`.
 * @throws when a response is not 200
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const [port = '', connections = '', file = ''] = process.argv.slice(2)
const posts = JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly [Record<string, string>, string])[]
const requests = posts.map(([headers, body]) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `POST /api/webhooks/gateway HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`,
  )
})

const times: number[] = []
let next = 0

const connection = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost')
    let received = ''
    let began = 0
    const send = (): void => {
      const request = requests[next++]
      if (request === undefined) {
        socket.end()
        resolve()
        return
      }
      began = performance.now()
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/^content-length: (\d+)/im.exec(received)?.[1])
      if (received.length < head + 4 + length) return
      if (!received.startsWith('HTTP/1.1 200')) {
        reject(new Error(received))
        return
      }
      times.push(performance.now() - began)
      received = ''
      send()
    })
  })

const began = performance.now()
await Promise.all(Array.from({ length: Number(connections) }, connection))
const seconds = (performance.now() - began) / 1000
times.sort((a, b) => a - b)
console.log(JSON.stringify({ perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] }))
process.exit(0)
