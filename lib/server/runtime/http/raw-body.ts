import type { IncomingMessage } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import type { Meter } from './byte-budget.ts'

export const tooLarge = (limit: number): Problem =>
  new Problem('payload_too_large', `The body may have at most ${limit / 1024} KiB.`)

/**
 * A body's bytes, unchanged.
 * @param meter counts them while they come
 * @throws Problem `payload_too_large` above `limit` bytes, `invalid_request` where the body is cut off, what `meter` throws
 */
export function rawBody(request: IncomingMessage, limit: number, meter?: Pick<Meter, 'add'>): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      try {
        if (size > limit) throw tooLarge(limit)
        meter?.add(chunk.length)
        chunks.push(chunk)
      } catch (fault) {
        // What came before is not kept until the client has gone.
        chunks.length = 0
        request.pause()
        reject(fault instanceof Error ? fault : new Error('the body could not be counted', { cause: fault }))
      }
    })
    let whole = false
    request.once('end', () => {
      whole = true
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    const cut = (): void => {
      if (!whole) reject(new Problem('invalid_request', 'The body was cut off.'))
    }
    request.once('error', cut)
    request.once('close', cut)
  })
}
