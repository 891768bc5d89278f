/**
 * Client of the live stream (docs/explanation/page-api.md, "Live stream"). The browser's EventSource reconnects by
 * itself and sends the id of the last event. After a refusal (too many streams, a restart behind a proxy) it gives up;
 * this module then opens a new one at the same position, with a growing delay. A stream without events for two minutes
 * is replaced, because it would stay silent for ever after a phone changed networks or a proxy forgot the connection.
 * The stream starts at `resume`.
 */
import type * as contract from '#lib/contract/stream.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'
import { parseJson } from './parse-json.ts'

/** The parsers, loaded with the first event. */
type Schemas = typeof contract

/** `none`: this browser cannot open a stream. */
export type StreamState = 'live' | 'reconnecting' | 'none'

export interface EventStreamOptions {
  readonly sessionId: string
  /** Stream position of the rendered page; null if unknown. */
  readonly position: string | null
  readonly loadSchemas: () => Promise<Schemas>
  readonly makeEventSource: (url: string) => EventSource
  readonly setTimer: (run: () => void, ms: number) => () => void
  readonly onEvent: (event: StreamEvent) => void
  /** Events may be missing: fetch everything again. */
  readonly onGap: () => void
  /** The server no longer holds what comes after our position, or its database was replaced: nothing before counts. */
  readonly onReset: () => void
  readonly onState: (state: StreamState) => void
}

export interface EventStream {
  /** Opens the stream, after the last event. */
  readonly resume: () => void
  /** Closes it until `resume`. If it was live, it counts as live for 30 s more. */
  readonly pause: () => void
  /**
   * Opens a new stream now, at the same position, unless it is paused. For a device that is online again or has slept:
   * a stream that seems open may be dead.
   */
  readonly reconnect: () => void
  readonly close: () => void
}

const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 30_000
/** EventSource hides the server's comments, which would show that a silent stream is alive. */
const RENEW_AFTER_MS = 120_000
/** A stream that takes longer to open is not live, even if the previous one was. */
const OPEN_WITHIN_MS = 10_000
const PAUSED_WITHIN_MS = 30_000

type Timer = 'reopen' | 'renew' | 'late'

export function openEventStream(needs: EventStreamOptions): EventStream {
  let source: EventSource | null = null
  const timers = new Map<Timer, () => void>()
  let lastEventId = needs.position ?? ''
  let queue: Promise<void> = Promise.resolve()
  let delayMs = FIRST_DELAY_MS
  let closed = false
  let paused = true

  function stop(...names: readonly Timer[]): void {
    for (const name of names) {
      timers.get(name)?.()
      timers.delete(name)
    }
  }

  function start(name: Timer, run: () => void, ms: number): void {
    stop(name)
    timers.set(name, needs.setTimer(run, ms))
  }

  function open(): void {
    stop('reopen')
    source?.close()
    const query = new URLSearchParams({ session: needs.sessionId })
    if (lastEventId !== '') query.set('last_event_id', lastEventId)
    const opened = make(`/api/cashier/events?${query.toString()}`)
    source = opened
    if (!opened) return
    start('renew', open, RENEW_AFTER_MS)
    start('late', () => needs.onState('reconnecting'), OPEN_WITHIN_MS)
    opened.addEventListener('open', () => {
      stop('late')
      delayMs = FIRST_DELAY_MS
      needs.onState('live')
      // Without an id the stream starts now: it lacks what happened since the page was rendered.
      if (lastEventId === '') needs.onGap()
    })
    for (const type of ['transaction', 'balance'] as const) {
      opened.addEventListener(type, (message: MessageEvent<unknown>) => receive(type, message))
    }
    opened.addEventListener('reset', (message: MessageEvent<unknown>) => {
      lastEventId = message.lastEventId
      queue = queue.then(() => {
        if (!closed) needs.onReset()
      })
    })
    opened.addEventListener('error', () => {
      if (closed || opened !== source) return
      stop('late')
      needs.onState('reconnecting')
      if (opened.readyState !== EVENT_SOURCE_CLOSED) return
      stop('renew')
      // An EventSource does not say why it was refused. A fetch does, for example that the session has ended.
      needs.onGap()
      reopenLater()
    })
  }

  function reopenLater(): void {
    start('reopen', open, delayMs)
    delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)
  }

  /** Null if the browser has no EventSource, or an extension removed it. */
  function make(url: string): EventSource | null {
    try {
      return needs.makeEventSource(url)
    } catch {
      stop('renew', 'late')
      needs.onState('none')
      reopenLater()
      return null
    }
  }

  function pause(): void {
    paused = true
    stop('reopen', 'renew')
    source?.close()
    source = null
  }

  function receive(type: StreamEvent['type'], { lastEventId: id, data }: MessageEvent<unknown>): void {
    start('renew', open, RENEW_AFTER_MS)
    if (id !== '') lastEventId = id
    // In sequence: the first event waits for the parsers, and the order must stay the commit order.
    queue = queue.then(async () => {
      const event = await needs.loadSchemas().then(
        (schemas) => readEvent(schemas, type, data),
        () => null,
      )
      if (closed) return
      // This version of the page cannot read every event. The lists contain what it cannot read.
      if (event) needs.onEvent(event)
      else needs.onGap()
    })
  }

  return {
    resume: () => {
      if (closed) return
      paused = false
      open()
    },
    pause: () => {
      if (closed || paused) return
      pause()
      start('late', () => needs.onState('reconnecting'), PAUSED_WITHIN_MS)
    },
    reconnect: () => {
      if (!closed && !paused) open()
    },
    close: () => {
      closed = true
      stop('late')
      pause()
    },
  }
}

const EVENT_SOURCE_CLOSED = 2

function readEvent(schemas: Schemas, type: StreamEvent['type'], data: unknown): StreamEvent | null {
  const body = typeof data === 'string' ? parseJson(data) : undefined
  if (type === 'balance') {
    const parsed = schemas.balanceEventSchema.safeParse(body)
    return parsed.success ? { type, data: parsed.data } : null
  }
  const parsed = schemas.transactionEventSchema.safeParse(body)
  return parsed.success ? { type, data: parsed.data } : null
}
