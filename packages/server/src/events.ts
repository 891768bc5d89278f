import type { Event, EventsPage } from './api-types.ts'
import { pause, type Caller } from './http.ts'
import { CashierError } from './problem.ts'

/** Stores the cursor of the feed. Use the database that has your bookings. */
export interface CursorStore {
  /** Returns null at the beginning. */
  load(): string | null | Promise<string | null>
  save(cursor: string): unknown
}

export interface FollowOptions {
  readonly cursor: CursorStore
  /** Ends the loop. The iterator throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds between two requests at the end of the feed; 2000 by default. */
  readonly pollMs?: number
  /** Events per answer, 1 to 1000; 100 by default. */
  readonly limit?: number
  /**
   * Called if the cursor does not belong to this feed (after a restored backup). The feed then starts again, and every
   * event comes again. Without this function the iterator throws the `CashierError` `cursor_lost`.
   */
  readonly onCursorLost?: () => void | Promise<void>
}

export interface EventsQuery {
  /** Leave it out to begin. */
  readonly after?: string | undefined
  /** 1 to 1000; 100 by default. */
  readonly limit?: number | undefined
}

export const readEvents = (call: Caller, query: EventsQuery, signal?: AbortSignal): Promise<EventsPage> =>
  call({ method: 'GET', path: '/events', query, repeatable: true, signal })

/**
 * Every event, oldest first, then each new event. The cursor of an event is saved when you request the next event. If
 * your handling fails, the event comes again, so book each event once by its key.
 */
export async function* followEvents(call: Caller, options: FollowOptions): AsyncGenerator<Event, never, void> {
  const { cursor, signal, pollMs = 2000, limit = 100, onCursorLost } = options
  let after = await cursor.load()
  for (;;) {
    let page: EventsPage
    try {
      page = await readEvents(call, { limit, ...(after !== null && { after }) }, signal)
    } catch (error) {
      if (!(error instanceof CashierError) || error.code !== 'cursor_lost' || !onCursorLost || after === null)
        throw error
      await onCursorLost()
      after = null
      continue
    }
    for (const event of page.events) {
      yield event
      await cursor.save(event.cursor)
      after = event.cursor
    }
    if (page.events.length === 0) await pause(pollMs, signal)
  }
}
