import { Problem } from '#lib/contract/problems.ts'
import type { Store } from '../store/types.ts'
import { createHeartbeat } from './heartbeat.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { Subscription, type ReadEvents, type Sink, type SubscriptionRequest } from './subscription.ts'

/** How many users or sessions one query asks for. */
const AT_ONCE = 1000

export interface StreamLog {
  warn(fields: object, message: string): void
}

export interface StreamHubOptions {
  readonly store: Pick<Store, 'events' | 'onCommit' | 'listen' | 'announceSessionEnd'>
  readonly log: StreamLog
  /** How often to poll for commits of other instances, if no signal comes; 2000 by default. */
  readonly pollMs?: number
  /** Events in one read; 200 by default. */
  readonly pageLimit?: number
  /**
   * Returns the ended ones among these sessions. It is asked for all sessions that have a stream, which also marks them
   * as in use. A rejection counts as an empty list.
   */
  readonly endedSessions?: (ids: readonly string[]) => Promise<readonly string[]>
  /** How often `endedSessions` is asked, if another process may have ended a session; 5000 by default. */
  readonly sessionCheckMs?: number
  /** The longest time between two of these questions, so that sessions stay in use; by default each check asks. */
  readonly sessionRenewMs?: number
  /** A session has no stream on this instance any more. */
  readonly onSessionLeft?: (id: string) => void
  /** Called with the number of open streams at each change. */
  readonly onSize?: (streams: number) => void
  /** `Date.now` by default. */
  readonly clock?: () => number
  /** How many streams one session may have open on this instance; 10 by default, Infinity for no limit. */
  readonly streamsPerSession?: number
}

export interface StreamStart {
  readonly cursor: number
  /** The events that the reader needs were deleted: it must fetch everything again, and resumes after `cursor`. */
  readonly reset: boolean
}

export interface OpenStream {
  readonly start: StreamStart
  /** Starts sending events; the first ones may come at once. */
  attach(sink: Sink): void
  /** Calls `beat` every 15 seconds until the stream is closed. */
  beat(beat: () => void): void
  close(): void
}

export interface StreamHub {
  /**
   * Does everything that can fail before a stream's first byte. `after` is the last number that the reader has; null
   * starts at the present.
   * @throws Problem `rate_limited` (too many streams of the session), `unauthenticated` (unknown user),
   * `store_unavailable` (this instance is stopping)
   */
  open(request: {
    readonly user: string
    readonly sessionId: string
    readonly after: number | null
    /** When the session ends by its age; never by default. */
    readonly endsMs?: number
  }): Promise<OpenStream>
  /** The last sequence number in the user's stream; null for an unknown user. */
  head(user: string): Promise<number | null>
  /** Ends the streams of a session at once, those of other instances by a signal, else by their next check. */
  endSession(sessionId: string): void
  /** How many streams are open. */
  readonly size: number
  /** Ends every stream and stops listening. */
  close(): Promise<void>
}

/**
 * Wakes the subscriptions of users with new events: at once for commits of this process, by signal or poll for others.
 */
export function createStreamHub(options: StreamHubOptions): StreamHub {
  const { store, log, pollMs = 2000, pageLimit = 200, streamsPerSession = 10 } = options
  const { endedSessions = () => Promise.resolve([]), sessionCheckMs = 5000 } = options
  const { sessionRenewMs = 0, onSessionLeft, onSize, clock = Date.now } = options
  const byUser = new Map<string, Set<Subscription>>()
  const openBySession = new Map<string, { streams: number; readonly endsMs: number }>()
  let size = 0
  let closed = false

  const heartbeat = createHeartbeat()
  /** Counts the times at which streams may have grown. */
  let wakeUps = 0
  let readsFailed = false

  const all = (): Subscription[] => [...byUser.values()].flatMap((set) => [...set])

  const onFailure = (error: unknown): void => {
    readsFailed = true
    log.warn({ err: error }, 'reading a stream failed; the next poll tries again')
  }

  /** Subscriptions at the same cursor share one read, which begins now: after the event that woke them. */
  const wakeUser = (user: string): void => {
    const set = byUser.get(user)
    if (set === undefined) return
    const reads = new Map<number, ReturnType<ReadEvents>>()
    const sharedRead: ReadEvents = (of, cursor, limit) => {
      const known = reads.get(cursor) ?? store.events.after(of, cursor, limit)
      reads.set(cursor, known)
      return known
    }
    for (const subscription of set) subscription.wake(sharedRead)
  }

  const checkUsers = async (users: readonly string[]): Promise<void> => {
    const cursors = new Map<string, number>()
    for (const user of users) {
      const open = [...(byUser.get(user) ?? [])].map(({ cursor }) => cursor)
      if (open.length > 0) cursors.set(user, Math.min(...open))
    }
    const moved = await store.events.movedOn(cursors)
    heartbeat.answered()
    for (const [user, head] of moved) {
      if (head !== null) wakeUser(user)
      else for (const subscription of [...(byUser.get(user) ?? [])]) subscription.end()
    }
  }

  let seenVersion: number | null = null
  const checkAllUsers = async (): Promise<void> => {
    wakeUps += 1
    const version = await store.events.foreignVersion()
    if (version !== null) heartbeat.answered()
    if (version !== null && version === seenVersion && !readsFailed) return
    readsFailed = false
    const users = [...byUser.keys()]
    for (let at = 0; at < users.length; at += AT_ONCE) await checkUsers(users.slice(at, at + AT_ONCE))
    seenVersion = version
  }

  const endSessions = (ended: ReadonlySet<string>): void => {
    if (ended.size > 0) for (const subscription of all()) if (ended.has(subscription.sessionId)) subscription.end()
  }

  let sessionsVersion: number | null = null
  let sessionsRenewedMs = -Infinity
  const checkSessions = async (): Promise<void> => {
    const now = clock()
    endSessions(new Set([...openBySession].filter(([, { endsMs }]) => endsMs <= now).map(([id]) => id)))
    const version = await store.events.foreignVersion()
    const isSame = version !== null && version === sessionsVersion
    if (isSame && now >= sessionsRenewedMs && now - sessionsRenewedMs < sessionRenewMs) return
    const ids = [...openBySession.keys()]
    for (let at = 0; at < ids.length; at += AT_ONCE)
      endSessions(new Set(await endedSessions(ids.slice(at, at + AT_ONCE))))
    sessionsVersion = version
    sessionsRenewedMs = now
  }

  const checking = oneAtATime(checkAllUsers, onFailure)
  const wakeUsers = (users: readonly string[]): void => {
    wakeUps += 1
    for (const user of users) wakeUser(user)
  }
  const stopOnCommit = store.onCommit(wakeUsers)
  const signals = store.listen((users, ended) => {
    endSessions(new Set(ended))
    if (users === null) checking.ask()
    else wakeUsers(users)
  })
  const whileOpen = (work: () => void, everyMs: number): NodeJS.Timeout =>
    setInterval(() => {
      if (size > 0) work()
    }, everyMs).unref()
  const poll = whileOpen(checking.ask, pollMs)
  const sessions = whileOpen(() => void checkSessions().catch(() => undefined), sessionCheckMs)

  const resize = (by: 1 | -1): void => {
    size += by
    onSize?.(size)
  }

  const takeSlot = (sessionId: string, endsMs: number): (() => void) => {
    const open = openBySession.get(sessionId) ?? { streams: 0, endsMs }
    if (open.streams >= streamsPerSession) {
      throw new Problem('rate_limited', 'Too many open streams.', { retryAfterS: 5 })
    }
    openBySession.set(sessionId, open)
    open.streams += 1
    resize(1)
    let freed = false
    return () => {
      if (freed) return
      freed = true
      resize(-1)
      open.streams -= 1
      if (open.streams > 0) return
      openBySession.delete(sessionId)
      onSessionLeft?.(sessionId)
    }
  }

  const subscribe = (request: SubscriptionRequest, sink: Sink): Subscription => {
    const subscription = new Subscription(request, { events: store.events, sink, pageLimit, onFailure })
    const set = byUser.get(request.user) ?? new Set()
    byUser.set(request.user, set.add(subscription))
    return subscription
  }

  const unsubscribe = (subscription: Subscription): void => {
    subscription.close()
    const set = byUser.get(subscription.user)
    if (set?.delete(subscription) === true && set.size === 0) byUser.delete(subscription.user)
  }

  return {
    async open({ user, sessionId, after, endsMs = Infinity }) {
      if (closed) throw new Problem('store_unavailable', 'This instance is stopping.')
      const freeSlot = takeSlot(sessionId, endsMs)
      const openedAt = wakeUps
      let stopBeating = (): void => undefined
      try {
        const bounds = await store.events.bounds(user)
        heartbeat.answered()
        if (bounds === null) throw new Problem('unauthenticated', 'This session has ended.')
        const start = startAt(bounds.head, after, await holdsAfter(store.events, user, bounds, after))
        let subscription: Subscription | null = null
        return {
          start,
          attach(sink) {
            if (closed) {
              sink.end()
              return
            }
            subscription = subscribe({ user, sessionId, cursor: start.cursor }, sink)
            // There is nothing to read if nothing was committed since the bounds were read.
            if (start.cursor === bounds.head && openedAt === wakeUps) subscription.caughtUp()
            else subscription.wake()
          },
          beat(beat) {
            stopBeating = heartbeat.add(beat)
          },
          close() {
            stopBeating()
            if (subscription !== null) unsubscribe(subscription)
            freeSlot()
          },
        }
      } catch (error) {
        freeSlot()
        throw error
      }
    },

    async head(user) {
      return (await store.events.bounds(user))?.head ?? null
    },

    endSession(sessionId) {
      endSessions(new Set([sessionId]))
      store.announceSessionEnd(sessionId)
    },

    get size() {
      return size
    },

    async close() {
      closed = true
      stopOnCommit()
      clearInterval(poll)
      clearInterval(sessions)
      heartbeat.stop()
      for (const subscription of all()) subscription.end()
      checking.stop()
      await signals.stop()
    },
  }
}

/** Whether a stream can resume after `after`; asks the store only if it must. */
async function holdsAfter(
  events: Pick<Store['events'], 'holds'>,
  user: string,
  { head, floor }: { readonly head: number; readonly floor: number },
  after: number | null,
): Promise<boolean> {
  if (after === null || after === head) return true
  return after >= floor && after < head && events.holds(user, after)
}

/** Where a stream starts: after `after` if the store holds what follows, else at the present. */
const startAt = (head: number, after: number | null, isHeld: boolean): StreamStart =>
  isHeld ? { cursor: after ?? head, reset: false } : { cursor: head, reset: true }
