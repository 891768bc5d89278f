/** What the connection line says. It never claims more than was seen: `live` only while a stream is open. */
export type ConnectionPhase = 'connecting' | 'live' | 'reconnecting' | 'offline'

export interface ConnectionState {
  readonly phase: ConnectionPhase
  /** When the server last answered or told something, ISO 8601. */
  readonly checkedAt: string
}

export interface Connection {
  readonly get: () => ConnectionState
  readonly subscribe: (listener: () => void) => () => void
  readonly streamIs: (state: 'live' | 'reconnecting') => void
  readonly deviceIs: (state: 'online' | 'offline') => void
  /** Something came from the server just now. */
  readonly heard: () => void
}

export function createConnection(drawnAt: string, now: () => Date): Connection {
  const listeners = new Set<() => void>()
  let state: ConnectionState = { phase: 'connecting', checkedAt: drawnAt }
  let online = true
  let stream: ConnectionPhase = 'connecting'

  function change(heard: boolean): void {
    const phase = online ? stream : 'offline'
    const checkedAt = heard ? now().toISOString() : state.checkedAt
    if (phase === state.phase && checkedAt === state.checkedAt) return
    state = { phase, checkedAt }
    for (const listener of listeners) listener()
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    streamIs: (next) => {
      stream = next
      if (next === 'live') online = true
      change(next === 'live')
    },
    deviceIs: (next) => {
      online = next === 'online'
      change(false)
    },
    heard: () => change(true),
  }
}
