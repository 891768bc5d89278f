import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

export interface CommitSignals {
  /** Stops listening and returns the connection to the pool. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Listens on `channel` with its own connection and calls `onSignal` for each notification, and once after each connect,
 * since earlier notifications are lost. A signal is only a hint: a pooler in front of the database may drop all
 * signals, so nothing may depend on them.
 */
export function listenForCommits(pool: Pool, channel: string, onSignal: () => void): CommitSignals {
  const stopped = new AbortController()

  const listen = async (): Promise<void> => {
    const client = await pool.connect()
    try {
      // A broken connection emits another error while it is destroyed.
      client.on('error', () => undefined)
      const gone = once(client, 'end', { signal: stopped.signal })
      client.on('notification', onSignal)
      await Promise.race([gone, client.query(`listen ${channel}`)])
      onSignal()
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
