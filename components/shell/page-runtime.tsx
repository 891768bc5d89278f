'use client'

import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createBffClient, type BffClient } from '#lib/browser/bff-client.ts'
import { createConnection, type Connection, type ConnectionState } from '#lib/browser/connection.ts'
import { openEventStream } from '#lib/browser/event-stream.ts'
import { createPageCache } from '#lib/browser/page-cache.ts'
import { applyStreamEvent, readAfresh } from '#lib/browser/stream-cache.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'

const CALL_TIMEOUT_MS = 20_000

type EventListener = (event: StreamEvent) => void

interface PageRuntime {
  readonly listeners: Set<EventListener>
  readonly client: BffClient
  readonly cache: QueryClient
  readonly connection: Connection
}

const RuntimeContext = createContext<PageRuntime | null>(null)

function useRuntime(): PageRuntime {
  const runtime = use(RuntimeContext)
  if (!runtime) throw new Error('outside PageRuntimeProvider')
  return runtime
}

export const useBffClient = (): BffClient => useRuntime().client

/** Called for each event of the stream, after the page's data has followed it. */
export function useStreamEvents(listener: EventListener): void {
  const { listeners } = useRuntime()
  const tell = useEffectEvent(listener)
  useEffect(() => {
    const told: EventListener = (event) => tell(event)
    listeners.add(told)
    return () => {
      listeners.delete(told)
    }
  }, [listeners])
}

export function useConnectionState(): ConnectionState {
  const { connection } = useRuntime()
  return useSyncExternalStore(connection.subscribe, connection.get, connection.get)
}

/** `onEnd` is called once the server says that the session is over. `drawnAt`: when the server drew the page, ISO 8601. */
export function PageRuntimeProvider({
  sessionId,
  drawnAt,
  position,
  onEnd,
  children,
}: {
  readonly sessionId: string
  readonly drawnAt: string
  /** Where the stream stood then. */
  readonly position: string | null
  readonly onEnd: () => void
  readonly children: ReactNode
}) {
  const [runtime] = useState(() => createRuntime(sessionId, drawnAt, onEnd))
  useStream(runtime, position)
  return (
    <RuntimeContext value={runtime}>
      <QueryClientProvider client={runtime.cache}>{children}</QueryClientProvider>
    </RuntimeContext>
  )
}

function createRuntime(sessionId: string, drawnAt: string, end: () => void): PageRuntime {
  const connection = createConnection(drawnAt, () => new Date())
  return {
    listeners: new Set(),
    connection,
    client: createBffClient({
      sessionId,
      fetch: (path, init) => fetch(path, init),
      loadSchemas: () => import('#lib/contract/cashier.ts'),
      isOnline: () => navigator.onLine,
      timeoutMs: CALL_TIMEOUT_MS,
    }),
    cache: createPageCache({
      phase: () => connection.get().phase,
      onHeard: connection.heard,
      onSessionEnded: end,
    }),
  }
}

function useStream({ client, cache, connection, listeners }: PageRuntime, position: string | null): void {
  const [from] = useState(position)
  useEffect(() => {
    const stream = openEventStream({
      sessionId: client.sessionId,
      position: from,
      loadSchemas: () => import('#lib/contract/stream.ts'),
      makeEventSource: (url) => new EventSource(url),
      setTimer: (run, ms) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onState: connection.streamIs,
      onGap: () => readAfresh(cache),
      onEvent: (event) => {
        connection.heard()
        applyStreamEvent(cache, event)
        for (const listener of listeners) listener(event)
      },
    })
    const online = () => {
      connection.deviceIs('online')
      stream.reconnect()
      readAfresh(cache)
    }
    const offline = () => connection.deviceIs('offline')
    addEventListener('online', online)
    addEventListener('offline', offline)
    return () => {
      removeEventListener('online', online)
      removeEventListener('offline', offline)
      stream.close()
    }
  }, [client, cache, connection, listeners, from])
}
