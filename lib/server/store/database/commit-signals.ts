import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Notification, Pool } from 'pg'
import * as z from 'zod/mini'
import { spaced } from './spaced.ts'

/** Channel of NOTIFY. */
const CHANNEL = 'cashier_commit'
/** PostgreSQL accepts a shorter payload only. */
const MOST_BYTES = 8000
/** The shortest time between two signals of an instance. */
const EVERY_MS = 10

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

export interface CommitSignals {
  /** Stops listening and returns the connection to the pool. Safe to call twice. */
  stop(): Promise<void>
}

/** The users whose streams have new events (null: any user), and sessions that have ended. */
export type SignalListener = (users: readonly string[] | null, endedSessions: readonly string[]) => void

interface Payload {
  readonly sender: string | null
  readonly users: readonly string[] | null
  readonly sessions: readonly string[]
}

const payloadSchema = z.object({
  sender: z.string(),
  users: z.nullable(z.array(z.string())),
  sessions: z.array(z.string()),
})

/** Names nobody if the names do not fit. */
function payloadText(payload: Payload): string {
  const all = JSON.stringify(payload)
  return Buffer.byteLength(all) < MOST_BYTES ? all : JSON.stringify({ ...payload, users: null, sessions: [] })
}

/** Another version's payload may have another shape: it may be about any user. */
function parsePayload(text: string): Payload {
  try {
    return payloadSchema.parse(JSON.parse(text))
  } catch {
    return { sender: null, users: null, sessions: [] }
  }
}

/** A connection that is silent for so long is given up. The limit of its lane is for long statements. */
const ANNOUNCED_WITHIN_MS = 2000

/**
 * Tells the other instances about commits and ended sessions, after the commits: a transaction with NOTIFY holds a lock
 * of the whole database until its flush is over, so this transaction does not wait for a flush. A lost signal is not
 * repeated.
 */
export function announceCommits(pool: Pool, sender: string) {
  const users = new Set<string>()
  const sessions = new Set<string>()
  const announcing = spaced(async () => {
    const payload = payloadText({ sender, users: [...users], sessions: [...sessions] })
    users.clear()
    sessions.clear()
    const announcement = {
      text: "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)",
      values: [CHANNEL, payload],
      query_timeout: ANNOUNCED_WITHIN_MS,
    }
    await pool.query(announcement).catch(() => undefined)
  }, EVERY_MS)
  return {
    committed(changed: readonly string[]): void {
      if (changed.length === 0) return
      for (const user of changed) users.add(user)
      announcing.ask()
    },
    ended(sessionId: string): void {
      sessions.add(sessionId)
      announcing.ask()
    },
    /** Resolves when all commits are announced. */
    finish: () => announcing.finish(),
  }
}

/**
 * Listens with its own connection and calls `onSignal` for each signal of another instance, and once after each
 * connect, since earlier signals are lost. A signal is only a hint: a pooler in front of the database may drop all
 * signals, so nothing may depend on them.
 */
export function listenForCommits(pool: Pool, ownName: string, onSignal: SignalListener): CommitSignals {
  const stopped = new AbortController()
  const onNotification = ({ payload = '' }: Notification): void => {
    const { sender, users, sessions } = parsePayload(payload)
    if (sender !== ownName) onSignal(users, sessions)
  }

  const listen = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      // A broken connection emits another error while it is destroyed.
      client.on('error', () => undefined)
      const gone = once(client, 'end', { signal: stopped.signal })
      client.on('notification', onNotification)
      await Promise.race([gone, client.query(`listen ${CHANNEL}`)])
      onSignal(null, [])
      await gone
    } finally {
      client.release(true)
    }
  }

  const keepListening = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS
    while (!stopped.signal.aborted) {
      const began = performance.now()
      await listen().catch(() => undefined)
      retryMs = performance.now() - began > LONGEST_RETRY_MS ? FIRST_RETRY_MS : Math.min(retryMs * 2, LONGEST_RETRY_MS)
      await sleep(retryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  const done = keepListening()
  return {
    stop() {
      stopped.abort()
      return done
    },
  }
}
