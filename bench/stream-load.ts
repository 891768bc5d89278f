/**
 * Opens and reads streams in a separate process. `node bench/stream-load.ts <port> <file>`: the file is a JSON array of
 * `LoadCall`, one for each stream. Prints `{"seconds"}` when all streams have begun, then reads until it is stopped.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { requestBytes, type LoadCall } from './load.ts'

const [port = '', file = ''] = process.argv.slice(2)
const requests = (JSON.parse(readFileSync(file, 'utf8')) as readonly LoadCall[]).map((call) => requestBytes(call, port))

/** Connections opened at a time. The kernel queues only a limited number of new connections. */
const AT_ONCE = 500

const open = (request: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), 'localhost', () => socket.write(request))
    socket.once('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(chunk.toString('utf8')))
      socket.resume()
    })
    socket.once('error', reject)
  })

let next = 0
const lane = async (): Promise<void> => {
  for (let request = requests[next++]; request !== undefined; request = requests[next++]) await open(request)
}
const began = performance.now()
await Promise.all(Array.from({ length: AT_ONCE }, lane))
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000 }))
