import type { StreamState } from './event-stream.ts'

/**
 * State of the connection, for the line at the bottom of the page. `live` only while a stream is open; `connecting`
 * before the first stream, or if the browser cannot open one.
 */
export type ConnectionPhase = 'connecting' | 'live' | 'reconnecting' | 'offline'

export interface ConnectionState {
  readonly phase: ConnectionPhase
  /** When the server last sent anything, ISO 8601. */
  readonly checkedAt: string
  /** How many times the connection has come back. */
  readonly returns: number
}

const AWAY: ReadonlySet<ConnectionPhase> = new Set(['offline', 'reconnecting'])

export interface Connection {
  readonly get: () => ConnectionState
  /** The state that the server rendered. */
  readonly getRendered: () => ConnectionState
  readonly subscribe: (listener: () => void) => () => void
  readonly setStreamState: (state: StreamState) => void
  readonly setDeviceState: (state: 'online' | 'offline') => void
  /** The server sent something just now. */
  readonly markContact: () => void
}

/** @param renderedAt when the server rendered the page, ISO 8601 */
export function createConnection(renderedAt: string, now: () => Date): Connection {
  const listeners = new Set<() => void>()
  const rendered: ConnectionState = { phase: 'connecting', checkedAt: renderedAt, returns: 0 }
  let state = rendered
  let online = true
  let stream: ConnectionPhase = 'connecting'

  function change(contact: boolean): void {
    const phase = online ? stream : 'offline'
    const checkedAt = contact ? now().toISOString() : state.checkedAt
    if (phase === state.phase && checkedAt === state.checkedAt) return
    const isBack = AWAY.has(state.phase) && !AWAY.has(phase)
    state = { phase, checkedAt, returns: state.returns + (isBack ? 1 : 0) }
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    getRendered: () => rendered,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setStreamState: (next) => {
      stream = next === 'none' ? 'connecting' : next
      if (next === 'live') online = true
      change(next === 'live')
    },
    setDeviceState: (next) => {
      online = next === 'online'
      change(false)
    },
    markContact: () => change(true),
  }
}
