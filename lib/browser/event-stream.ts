/**
 * The live stream (contract section 5, "Stream"). The browser's EventSource reconnects by itself and names the last
 * event it saw; where the server refused for good (too many streams, a restart behind a proxy) it gives up, and this
 * opens a new one from the same place, later each time.
 */
import type * as contract from '#lib/contract/stream.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'

/** The parsers, fetched with the first event. */
type Schemas = typeof contract

export interface StreamNeeds {
  readonly sessionId: string
  /** Where the page that the server drew stands in the stream; null where that is not known. */
  readonly position: string | null
  readonly loadSchemas: () => Promise<Schemas>
  readonly makeEventSource: (url: string) => EventSource
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly onEvent: (event: StreamEvent) => void
  /** What was asked for is no longer held, or nothing is known yet: read everything afresh. */
  readonly onGap: () => void
  readonly onState: (state: 'live' | 'reconnecting') => void
}

export interface EventStream {
  /** Try now: the device is online again. */
  readonly reconnect: () => void
  readonly close: () => void
}

const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 30_000

export function openEventStream(needs: StreamNeeds): EventStream {
  let source: EventSource | null = null
  let cancelTimer: (() => void) | null = null
  let lastEventId = needs.position ?? ''
  let told: Promise<void> = Promise.resolve()
  let waitMs = FIRST_WAIT_MS
  let closed = false

  function open(): void {
    cancelTimer?.()
    cancelTimer = null
    source?.close()
    const query = new URLSearchParams({ session: needs.sessionId })
    if (lastEventId !== '') query.set('last_event_id', lastEventId)
    const opened = needs.makeEventSource(`/api/cashier/events?${query.toString()}`)
    source = opened
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
      needs.onState('live')
      // Without an id the stream starts at now: what happened since the page was drawn is not in it.
      if (lastEventId === '') needs.onGap()
    })
    for (const type of ['transaction', 'balance'] as const) {
      opened.addEventListener(type, (message: MessageEvent<unknown>) => receive(type, message))
    }
    opened.addEventListener('reset', (message: MessageEvent<unknown>) => {
      lastEventId = message.lastEventId
      needs.onGap()
    })
    opened.addEventListener('error', () => {
      if (closed) return
      needs.onState('reconnecting')
      if (opened.readyState !== EVENT_SOURCE_CLOSED) return
      // It was refused, and does not say why; a read does, where the session is over.
      needs.onGap()
      cancelTimer?.()
      cancelTimer = needs.setTimer(open, waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    })
  }

  function receive(type: StreamEvent['type'], { lastEventId: id, data }: MessageEvent<unknown>): void {
    if (id !== '') lastEventId = id
    // One after the other: the first waits for the parsers, and the order is the commit order.
    told = told.then(async () => {
      const event = await needs.loadSchemas().then(
        (schemas) => readEvent(schemas, type, data),
        () => null,
      )
      if (closed) return
      // A word that this version of the page does not know: the lists will.
      if (event) needs.onEvent(event)
      else needs.onGap()
    })
  }

  open()
  return {
    reconnect: () => {
      if (!closed && source?.readyState !== EVENT_SOURCE_OPEN) open()
    },
    close: () => {
      closed = true
      cancelTimer?.()
      source?.close()
    },
  }
}

const EVENT_SOURCE_OPEN = 1
const EVENT_SOURCE_CLOSED = 2

function readEvent(schemas: Schemas, type: StreamEvent['type'], data: unknown): StreamEvent | null {
  const body = readJson(data)
  if (type === 'balance') {
    const parsed = schemas.balanceEventSchema.safeParse(body)
    return parsed.success ? { type, data: parsed.data } : null
  }
  const parsed = schemas.transactionEventSchema.safeParse(body)
  return parsed.success ? { type, data: parsed.data } : null
}

function readJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
