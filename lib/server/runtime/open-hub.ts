import { findEndedSessions, sessionCheckMs, sessionRenewMs } from '../merchant/ended-sessions.ts'
import type { Store } from '../store/types.ts'
import { createStreamHub, type StreamHub } from '../stream/hub.ts'
import { sessionLimits } from './compose-sessions.ts'
import type { Config } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export interface HubOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Log
  readonly metrics: Pick<Metrics, 'watchStreams'>
  readonly clock: () => number
  /** The sessions of the lane in which streams record that they are in use. */
  readonly sessions: Store['sessions']
  /** Stores, soon, that a session is in use. */
  readonly noteUse: (id: string) => void
  /** Called with the number of open streams at each change. */
  readonly onStreams?: (streams: number) => void
}

/** Opens the streams of this instance, which end with their sessions. */
export function openHub(options: HubOptions): StreamHub {
  const { config, store, log, metrics, clock, sessions, noteUse, onStreams } = options
  const limits = sessionLimits(config)
  const hub = createStreamHub({
    store,
    log,
    endedSessions: findEndedSessions({ sessions, limits, clock }),
    sessionCheckMs: sessionCheckMs(limits),
    sessionRenewMs: sessionRenewMs(limits),
    onSessionLeft: noteUse,
    ...(onStreams && { onSize: onStreams }),
    clock,
    ...(!config.rateLimit && { streamsPerSession: Infinity }),
  })
  metrics.watchStreams(() => hub.size)
  return hub
}
