'use client'

import { notifyManager, QueryClientProvider, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createBffClient, type BffClient } from '#lib/browser/bff-client.ts'
import { createClockAhead, type ClockAhead } from '#lib/browser/clock-ahead.ts'
import { createConnection, type Connection, type ConnectionState } from '#lib/browser/connection.ts'
import { openEventStream } from '#lib/browser/event-stream.ts'
import { createEventBatches } from '#lib/browser/event-batches.ts'
import { createQueryClient } from '#lib/browser/query-client.ts'
import { watchForLateData } from '#lib/browser/late-data.ts'
import { createPacedRefetch } from '#lib/browser/paced-refetch.ts'
import { createStreamTurns } from '#lib/browser/stream-turns.ts'
import { keys } from '#lib/browser/queries.ts'
import { watchForSleep } from '#lib/browser/sleep-watch.ts'
import { applyStreamEvent, refetchAll, refetchUnanswered, startOver } from '#lib/browser/stream-cache.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'
import { cookieConfirmed } from '#lib/embed/frame/write-page.ts'

const CALL_TIMEOUT_MS = 20_000
/** Pause between two refetches of the same data that stream events cause. */
const REFETCH_PAUSE_MS = 500
/** Pause between two renders that stream events cause. */
const EVENTS_EVERY_MS = 100

const setTimer = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

type EventListener = (event: StreamEvent) => void

interface PageRuntime {
  readonly listeners: Set<EventListener>
  readonly client: BffClient
  readonly cache: QueryClient
  readonly connection: Connection
  readonly clockAhead: ClockAhead
  readonly end: () => void
}

const RuntimeContext = createContext<PageRuntime | null>(null)

function useRuntime(): PageRuntime {
  const runtime = use(RuntimeContext)
  if (!runtime) throw new Error('outside PageRuntimeProvider')
  return runtime
}

export const useBffClient = (): BffClient => useRuntime().client

/** Call it when the session has ended: the page shows that and tells the merchant's page. */
export const useEndSession = (): (() => void) => useRuntime().end

/** Called for each event of the stream, after the query cache was updated. */
export function useStreamEvents(listener: EventListener): void {
  const { listeners } = useRuntime()
  const notify = useEffectEvent(listener)
  useEffect(() => {
    const listen: EventListener = (event) => notify(event)
    listeners.add(listen)
    return () => {
      listeners.delete(listen)
    }
  }, [listeners])
}

/** Add its time to a time of the server before a comparison with `Date.now()`. */
export const useClockAhead = (): ClockAhead => useRuntime().clockAhead

export function useConnectionState(): ConnectionState {
  const { connection } = useRuntime()
  return useSyncExternalStore(connection.subscribe, connection.get, connection.getRendered)
}

/**
 * `onEnd` is called when the server reports that the session has ended. `renderedAt`: time of server rendering, ISO
 * 8601.
 */
export function PageRuntimeProvider({
  sessionId,
  renderedAt,
  position,
  onEnd,
  children,
}: {
  readonly sessionId: string
  readonly renderedAt: string
  /** Stream position at that time. */
  readonly position: string | null
  readonly onEnd: () => void
  readonly children: ReactNode
}) {
  const [runtime] = useState(() => createRuntime(sessionId, renderedAt, onEnd))
  useStream(runtime, position)
  return (
    <RuntimeContext value={runtime}>
      <QueryClientProvider client={runtime.cache}>{children}</QueryClientProvider>
    </RuntimeContext>
  )
}

function createRuntime(sessionId: string, renderedAt: string, onEnd: () => void): PageRuntime {
  const clockAhead = createClockAhead(firstAheadMs(renderedAt), () => Date.now())
  const connection = createConnection(renderedAt, () => new Date(Date.now() - clockAhead.ms()))
  // A page without its cookie is about to be loaded again.
  const end = (): void => void cookieConfirmed().then(onEnd)
  return {
    listeners: new Set(),
    connection,
    clockAhead,
    end,
    client: createBffClient({
      sessionId,
      fetch: async (path, init) => {
        const response = await fetch(path, init)
        clockAhead.heard(response.headers.get('date'))
        return response
      },
      loadSchemas: () => import('#lib/contract/cashier.ts'),
      isOnline: () => navigator.onLine,
      timeoutMs: CALL_TIMEOUT_MS,
    }),
    cache: createQueryClient({
      phase: () => connection.get().phase,
      onResponse: connection.markContact,
      onSessionEnded: end,
    }),
  }
}

/**
 * Compares the time of server rendering with the device's time when the page began to arrive. That of /embed may have
 * arrived long before the page that it has written.
 */
function firstAheadMs(renderedAt: string): number {
  const [page] = performance.getEntriesByType('navigation')
  // The server has no such entry, and no class to compare with.
  const sinceArrival = page
    ? performance.now() - (window.cashierArrivedMs ?? (page as PerformanceNavigationTiming).responseStart)
    : 0
  return Date.now() - sinceArrival - Date.parse(renderedAt)
}

/**
 * True with HTTP/1.1, where all tabs share a few connections. With HTTP/2 and later, one connection carries all streams
 * and calls. A browser that does not report its protocol counts as HTTP/1.1.
 */
function sharesConnections(): boolean {
  const [page] = performance.getEntriesByType('navigation')
  return !(page instanceof PerformanceNavigationTiming && ['h2', 'h3'].includes(page.nextHopProtocol))
}

function useStream({ client, cache, connection, listeners }: PageRuntime, position: string | null): void {
  const [from] = useState(position)
  useEffect(() => {
    const lateData = watchForLateData({ cache, now: () => performance.now() })
    const pacedRefetch = createPacedRefetch({
      refetch: (queryKey) => cache.invalidateQueries({ queryKey }),
      pause: () => new Promise((resolve) => setTimeout(resolve, REFETCH_PAUSE_MS)),
    })
    const refetch = (key: QueryKey): void => {
      lateData.changed(key)
      pacedRefetch(key)
    }
    const batches = createEventBatches<StreamEvent>({
      apply: (events) => {
        connection.markContact()
        notifyManager.batch(() => {
          for (const event of events) {
            applyStreamEvent(cache, refetch, event)
            for (const listener of listeners) listener(event)
          }
        })
      },
      setTimer,
      everyMs: EVENTS_EVERY_MS,
    })
    const stream = openEventStream({
      sessionId: client.sessionId,
      position: from,
      loadSchemas: () => import('#lib/contract/stream.ts'),
      makeEventSource: (url) => new EventSource(url),
      setTimer,
      onState: (state) => {
        connection.setStreamState(state)
        if (state === 'live') refetchUnanswered(cache)
      },
      onGap: () => refetchAll(cache),
      onReset: () => {
        batches.drop()
        startOver(cache)
      },
      onEvent: batches.add,
    })
    const turns = createStreamTurns({
      locks: sharesConnections() ? navigator.locks : undefined,
      random: Math.random,
      setTimer,
      onTurn: stream.resume,
      onEnd: stream.pause,
    })
    const watchVisibility = () => (document.visibilityState === 'visible' ? turns.start() : turns.stop())
    watchVisibility()
    const catchUp = () => {
      stream.reconnect()
      refetchUnanswered(cache)
      refetchAll(cache)
      void cache.invalidateQueries({ queryKey: keys.currencies })
    }
    const online = () => {
      connection.setDeviceState('online')
      catchUp()
    }
    const offline = () => connection.setDeviceState('offline')
    // The back button may show the page in the state in which the user left it.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) catchUp()
    }
    document.addEventListener('visibilitychange', watchVisibility)
    addEventListener('online', online)
    addEventListener('offline', offline)
    addEventListener('pageshow', shown)
    const stopWatching = watchForSleep({
      now: () => Date.now(),
      setTicker: (run, ms) => {
        const ticker = setInterval(run, ms)
        return () => clearInterval(ticker)
      },
      onWake: catchUp,
    })
    return () => {
      stopWatching()
      document.removeEventListener('visibilitychange', watchVisibility)
      turns.stop()
      lateData.stop()
      removeEventListener('pageshow', shown)
      removeEventListener('online', online)
      removeEventListener('offline', offline)
      stream.close()
      batches.drop()
    }
  }, [client, cache, connection, listeners, from])
}
