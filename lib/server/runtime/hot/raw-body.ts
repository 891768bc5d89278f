import type { IncomingMessage } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'

/** A body's bytes, untouched. Rejects with `payload_too_large` at the limit, `invalid_request` where it is cut. */
export function rawBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLarge = (): Problem => new Problem('payload_too_large', `A body of at most ${limit / 1024} KiB is taken.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.pause()
      reject(tooLarge())
    })
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const cut = (): void => reject(new Problem('invalid_request', 'The body was cut off.'))
    request.once('error', cut)
    request.once('close', cut)
  })
}
