import { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { OpenStream, StreamHub } from './hub.ts'
import { comment, eventsText, OPENING, resetText } from './sse-text.ts'

const BEAT = Buffer.from(comment('still here'))
const MOST_BUFFERED_BYTES = 1024 * 1024
/** A reader that reads nothing for this long is disconnected. */
const STALLED_MS = 15_000
/** A reader that does not read the end of its stream within this time is disconnected. */
const END_TIMEOUT_MS = 5000

/** Of a response that sends events. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export interface StreamRequest {
  readonly user: string
  readonly sessionId: string
  /** The last id that the reader has (`readLastEventId`); null starts at the present. */
  readonly after: number | null
  /** When the session ends by its age; never by default. */
  readonly endsMs?: number
  /** Called once when the stream has ended, for any reason. */
  readonly onClose?: () => void
}

/** An open stream to which nothing is written yet. */
export interface UserStream {
  /** The headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Begins to write. Call it exactly once and at once, even if `out` is destroyed by now: then it closes the stream.
   */
  writeTo(out: Writable): void
}

/** Opens the user's live stream; later steps cannot fail. Rejects as `hub.open` does, or with the store's own error. */
export async function openUserStream(hub: StreamHub, request: StreamRequest): Promise<UserStream> {
  const stream = await hub.open(request)
  return { headers: STREAM_HEADERS, writeTo: (out) => writeStream(stream, out, request) }
}

/**
 * Writes around the response, which would schedule a task of its own for each write. False if something waits in the
 * response, or if its writes are framed.
 */
function writeToSocket(response: Writable, bytes: Buffer): boolean {
  if (!(response instanceof ServerResponse) || !response.headersSent || response.chunkedEncoding) return false
  const { socket, writableEnded, writableLength } = response
  if (socket === null || writableEnded || writableLength > 0) return false
  socket.write(bytes)
  return true
}

function writeStream(stream: OpenStream, response: Writable, { after, onClose }: StreamRequest): void {
  if (response.destroyed) {
    stream.close()
    onClose?.()
    return
  }

  const drained = new Set<() => void>()
  const write = (text: string | Buffer): void => {
    if (response.writableEnded || response.destroyed) return
    response.write(text)
    if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy()
  }
  const end = (): void => {
    if (response.writableEnded) return
    response.end()
    setTimeout(() => response.destroy(), END_TIMEOUT_MS).unref()
  }
  response.on('drain', () => {
    for (const resolve of drained) resolve()
  })
  response.on('error', () => undefined)
  response.once('close', () => {
    stream.close()
    for (const resolve of drained) resolve()
    onClose?.()
  })

  const { reset, cursor } = stream.start
  write(OPENING + (reset ? resetText(cursor) : after === null ? `id: ${cursor}\n\n` : ''))

  stream.beat(() => {
    if (!writeToSocket(response, BEAT)) write(BEAT)
  })
  stream.attach({
    write: (events) => write(eventsText(events)),
    reset: (head) => write(resetText(head)),
    end,
    async drained() {
      if (!response.writableNeedDrain || response.destroyed) return
      const { promise, resolve } = Promise.withResolvers<null>()
      const stalled = setTimeout(() => response.destroy(), STALLED_MS)
      const release = (): void => resolve(null)
      drained.add(release)
      await promise
      drained.delete(release)
      clearTimeout(stalled)
    },
  })
}
