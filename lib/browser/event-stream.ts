/**
 * The live stream (contract section 5, "Stream"). The browser's EventSource reconnects by itself and names the last
 * event it saw; where the server refused for good (too many streams, a restart behind a proxy) it gives up, and this
 * opens a new one from the same place, later each time.
 */
import * as z from 'zod/mini'
import { balanceEventSchema, transactionEventSchema, type StreamEvent } from '#lib/contract/stream.ts'

export interface StreamNeeds {
  readonly sessionId: string
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
  let lastEventId = ''
  let everOpen = false
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
      if (!everOpen || lastEventId === '') needs.onGap()
      everOpen = true
    })
    opened.addEventListener('transaction', (message) => receive(message, transactionEventSchema, 'transaction'))
    opened.addEventListener('balance', (message) => receive(message, balanceEventSchema, 'balance'))
    opened.addEventListener('reset', (message: MessageEvent<unknown>) => {
      lastEventId = message.lastEventId
      needs.onGap()
    })
    opened.addEventListener('error', () => {
      if (closed) return
      needs.onState('reconnecting')
      if (opened.readyState !== EVENT_SOURCE_CLOSED) return
      cancelTimer?.()
      cancelTimer = needs.setTimer(open, waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    })
  }

  function receive(message: MessageEvent<unknown>, schema: typeof transactionEventSchema, type: 'transaction'): void
  function receive(message: MessageEvent<unknown>, schema: typeof balanceEventSchema, type: 'balance'): void
  function receive(message: MessageEvent<unknown>, schema: z.ZodMiniType, type: StreamEvent['type']): void {
    if (message.lastEventId !== '') lastEventId = message.lastEventId
    const parsed = z.safeParse(schema, readJson(message.data))
    if (parsed.success) needs.onEvent({ type, data: parsed.data } as StreamEvent)
    // A word that this version of the page does not know: the lists will.
    else needs.onGap()
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

function readJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
