import type { Event, EventsPage } from './api-types.ts'
import { pause, type Caller } from './http.ts'
import { CashierError } from './problem.ts'

/** Where the place in the feed is kept: best in the database that holds what is booked. */
export interface CursorStore {
  /** Null at the beginning. */
  load(): string | null | Promise<string | null>
  save(cursor: string): unknown
}

export interface FollowOptions {
  readonly cursor: CursorStore
  /** Ends the loop; the iterator throws its reason. */
  readonly signal?: AbortSignal
  /** Milliseconds between two looks at the end of the feed; 2000 by default. */
  readonly pollMs?: number
  /** Events in one answer, 1 to 1000; 100 by default. */
  readonly limit?: number
  /**
   * Called where the cursor is not of this feed (after a restored backup): the feed then begins anew, and every event
   * comes again. Without it the iterator throws the `CashierError` `cursor_lost`.
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
 * Every event, oldest first, and on with what is new. The cursor of an event is saved when the next one is asked for, so
 * an event whose handling failed comes again: book once by its key.
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
