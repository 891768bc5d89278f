import type { Writable } from 'node:stream'
import type { StreamHub } from './hub.ts'
import { comment, eventsText, OPENING, resetText } from './sse-text.ts'

const BEAT = comment('still here')
const MOST_BUFFERED_BYTES = 1024 * 1024
/** A reader that reads nothing for so long is disconnected. */
const STALLED_MS = 15_000
/** A reader that does not read the end of its stream is disconnected. */
const END_TIMEOUT_MS = 5000

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export interface StreamRequest {
  readonly user: string
  readonly sessionId: string
  /** The last id that the reader has (`readLastEventId`); null to begin at now. */
  readonly after: number | null
  /** Called once before the first byte, with the headers of the answer. */
  begin?(headers: Readonly<Record<string, string>>): void
  /** Called once when the stream has ended, for whatever reason. */
  onClose?(): void
}

/**
 * Writes the user's live stream to `response`. Resolves when it has begun; before the first byte it may reject as
 * `hub.open` does, or with the store's own error.
 */
export async function serveStream(hub: StreamHub, response: Writable, request: StreamRequest): Promise<void> {
  const { user, sessionId, after } = request
  const stream = await hub.open({ user, sessionId, after })
  if (response.destroyed) {
    stream.close()
    request.onClose?.()
    return
  }

  const drained = new Set<() => void>()
  const write = (text: string): void => {
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
    request.onClose?.()
  })

  request.begin?.(HEADERS)
  const { reset, cursor } = stream.start
  write(OPENING + (reset ? resetText(cursor) : after === null ? `id: ${cursor}\n\n` : ''))

  stream.beat(() => write(BEAT))
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
