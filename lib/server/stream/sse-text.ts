import type { StoredStreamEvent } from '../store/types.ts'

/**
 * A first comment makes proxies forward the headers; a reader that loses the connection reconnects after two seconds.
 */
export const OPENING = ': open\nretry: 2000\n\n'

export const comment = (text: string): string => `: ${text}\n\n`

/** `data` is stored as JSON on one line. */
const eventText = ({ seq, type, data }: StoredStreamEvent): string => `id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`

const texts = new WeakMap<readonly StoredStreamEvent[], string>()

/** The text of a page of events, made once for all streams that get the same page. */
export function eventsText(events: readonly StoredStreamEvent[]): string {
  const text = texts.get(events) ?? events.map(eventText).join('')
  texts.set(events, text)
  return text
}

/** The reader's next events were deleted: it fetches everything again, and resumes after this id. */
export const resetText = (head: number): string => `id: ${head}\nevent: reset\ndata: {}\n\n`

/** An id that no stream has: the reader gets a reset. */
const UNKNOWN_ID = -1

/**
 * The id to resume after, from the `Last-Event-ID` header or else from `last_event_id` of the query; null without
 * either. A value that is not a sequence number counts as an id that no stream has.
 */
export function readLastEventId(header: string | null | undefined, query: string | null | undefined): number | null {
  const text = header || query
  if (!text) return null
  // Numbers after a promotion or a restore have 16 digits (`store/tables/unseen-numbers.ts`).
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : UNKNOWN_ID
}
