import type { ServerResponse } from 'node:http'
import type { StreamHub } from './hub.ts'
import { comment, eventText, OPENING, resetText } from './sse-text.ts'

const COMMENT_EVERY_MS = 15_000
const SESSION_CHECK_MS = 5000
const MOST_BUFFERED_BYTES = 1024 * 1024
/** A reader that takes nothing of what it asked for again. */
const STALLED_MS = 15_000
/** A reader that does not take the end of its stream is cut off. */
const GOODBYE_MS = 5000

export interface StreamRequest {
  readonly user: string
  readonly sessionId: string
  /** The last id that the reader has (`readLastEventId`); null to begin at now. */
  readonly after: number | null
  /** Asked every few seconds, also as a sign that the session is in use; a rejection counts as alive. */
  isSessionAlive(): Promise<boolean>
  /** Called once when the stream has ended, however that came. */
  onClose?(): void
}

/**
 * Answers with the user's live stream. Resolves when it has begun; before the first byte it may reject as `hub.open`
 * does, or with the store's own error. Headers that were set on `response` before stay.
 */
export async function serveStream(hub: StreamHub, response: ServerResponse, request: StreamRequest): Promise<void> {
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
    setTimeout(() => response.destroy(), GOODBYE_MS).unref()
  }
  const checkSession = async (): Promise<void> => {
    const alive = await request.isSessionAlive().catch(() => true)
    if (!alive) end()
  }

  const commenting = setInterval(() => write(comment('still here')), COMMENT_EVERY_MS)
  const checking = setInterval(() => void checkSession(), SESSION_CHECK_MS)
  response.on('drain', () => {
    for (const resolve of drained) resolve()
  })
  response.on('error', () => undefined)
  response.once('close', () => {
    clearInterval(commenting)
    clearInterval(checking)
    stream.close()
    for (const resolve of drained) resolve()
    request.onClose?.()
  })

  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  write(OPENING)
  if (stream.start.reset) write(resetText(stream.start.cursor))
  else if (after === null) write(`id: ${stream.start.cursor}\n\n`)

  stream.attach({
    write: (events) => write(events.map(eventText).join('')),
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
