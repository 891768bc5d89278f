import type { StoredStreamEvent } from '../store/port.ts'

/** A first comment makes proxies send the headers on; a cut reader comes back after two seconds. */
export const OPENING = ': open\nretry: 2000\n\n'

export const comment = (text: string): string => `: ${text}\n\n`

/** `data` is JSON on one line, as it is stored. */
export const eventText = ({ seq, type, data }: StoredStreamEvent): string =>
  `id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`

/** What the reader had is no longer held: it reads afresh, and the id is where it goes on. */
export const resetText = (head: number): string => `id: ${head}\nevent: reset\ndata: {}\n\n`

/** An id that no stream holds: the reader is told to read afresh. */
const UNKNOWN_ID = -1

/**
 * The id to resume after, from the `Last-Event-ID` header or else `last_event_id` of the query; null without either.
 * What is no sequence number is none that is held.
 */
export function readLastEventId(header: string | null | undefined, query: string | null | undefined): number | null {
  const text = header || query
  if (!text) return null
  return /^\d{1,15}$/.test(text) ? Number(text) : UNKNOWN_ID
}
