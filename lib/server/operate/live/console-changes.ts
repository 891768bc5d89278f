import type { Writable } from 'node:stream'
import { Problem } from '#lib/contract/problems.ts'
import type { ChangedEvent } from '#lib/contract/operate/live.ts'
import { createRounds, type Rounds } from '../../jobs/rounds.ts'
import type { CommitSignals, Store } from '../../store/types.ts'
import { comment, OPENING } from '../../stream/sse-text.ts'
import { STREAM_HEADERS } from '../../stream/sse.ts'
import { createReadChanges, type ChangesStore } from './read-changes.ts'

/** At most one hint in this time. */
const EVERY_MS = 1000
/** How late a change is seen that no signal tells. */
const LONGEST_MS = 5000
const BEAT_MS = 15_000
const ALIVE_MS = 5000
/** A reader that reads nothing is disconnected. */
const MOST_BUFFERED_BYTES = 64 * 1024
const MOST_STREAMS = 500

export interface ConsoleChangesOptions {
  readonly store: ChangesStore & Pick<Store, 'listen' | 'onChange'>
  readonly onFault: (error: unknown) => void
}

interface Running {
  readonly rounds: Rounds
  readonly signals: CommitSignals
  /** The store was looked at for the first time. */
  readonly looked: Promise<unknown>
}

/** A stream that an operator reads. */
export interface OperatorStream {
  readonly headers: Readonly<Record<string, string>>
  writeTo(out: Writable): void
}

/** From now on every change is told: what was read before may be old. */
const READY = 'event: ready\ndata: {}\n\n'

const changedText = (change: ChangedEvent): string => `event: changed\ndata: ${JSON.stringify(change)}\n\n`

/**
 * Tells open consoles what has changed. One look at the store serves all of them, after commits of any instance; without
 * an open console nothing is read.
 */
export function createConsoleChanges({ store, onFault }: ConsoleChangesOptions) {
  const listeners = new Set<(change: ChangedEvent) => void>()
  const ends = new Set<() => void>()
  let running: Running | null = null
  let stopping: Promise<unknown> = Promise.resolve()
  let closed = false

  const begin = (): Running => {
    const read = createReadChanges(store)
    const first = Promise.withResolvers<null>()
    const rounds = createRounds({
      round: async () => {
        const change = await read()
        first.resolve(null)
        if (change !== null) for (const listener of [...listeners]) listener(change)
        return null
      },
      onFault,
      everyMs: EVERY_MS,
      longestMs: LONGEST_MS,
      onChange: store.onChange,
    })
    rounds.start()
    return { rounds, signals: store.listen(() => rounds.wake()), looked: first.promise }
  }
  const pause = (): void => {
    const before = running
    running = null
    stopping = Promise.all([stopping, before?.rounds.stop(), before?.signals.stop()])
  }
  const subscribe = (onReady: () => void, listener: (change: ChangedEvent) => void): (() => void) => {
    listeners.add(listener)
    running ??= begin()
    void running.looked.then(onReady)
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) pause()
    }
  }

  function write(out: Writable, isAlive: () => Promise<boolean>): void {
    if (out.destroyed) return
    const send = (text: string): void => {
      if (out.writableEnded || out.destroyed) return
      out.write(text)
      if (out.writableLength > MOST_BUFFERED_BYTES) out.destroy()
    }
    const end = (): void => {
      if (!out.writableEnded) out.end()
    }
    send(OPENING)
    const unsubscribe = subscribe(
      () => send(READY),
      (change) => send(changedText(change)),
    )
    const beats = setInterval(() => send(comment('still here')), BEAT_MS).unref()
    const checks = setInterval(() => {
      // While the store does not answer, nothing new is sent either.
      isAlive().then(
        (alive) => {
          if (!alive) end()
        },
        () => undefined,
      )
    }, ALIVE_MS).unref()
    ends.add(end)
    out.on('error', () => undefined)
    out.once('close', () => {
      ends.delete(end)
      clearInterval(beats)
      clearInterval(checks)
      unsubscribe()
    })
  }

  return {
    /**
     * A stream of `changed` hints after the event `ready`, which ends with the operator's session.
     * @throws Problem `rate_limited`, `store_unavailable`
     */
    openChanges(isAlive: () => Promise<boolean>): OperatorStream {
      if (closed) throw new Problem('store_unavailable', 'This instance is stopping.')
      if (ends.size >= MOST_STREAMS) throw new Problem('rate_limited', 'Too many open consoles.', { retryAfterS: 30 })
      return { headers: STREAM_HEADERS, writeTo: (out) => write(out, isAlive) }
    },
    /** Ends all streams. */
    async closeChanges(): Promise<void> {
      closed = true
      for (const end of ends) end()
      if (running !== null) pause()
      await stopping
    },
  }
}
