import { JsonFault, parseLosslessJson } from '../gateway/lossless-json.ts'
import type { Store } from '../store/port.ts'
import { readCursor } from './read-cursor.ts'

export interface QuarantineItem {
  readonly id: string
  readonly reason: string
  readonly received_at: string
  /** The event as it came; `JSON.stringify` writes its numbers digit by digit as they were sent. */
  readonly event: unknown
}

export interface QuarantinePage {
  readonly items: readonly QuarantineItem[]
  /** To ask again with, also at the end. */
  readonly next_cursor: string
}

/** In the run-time, not yet in TypeScript's library. */
type JsonWithRaw = typeof JSON & { rawJSON(text: string): unknown }
const asSent = (text: string): unknown => (JSON as JsonWithRaw).rawJSON(text)

function readEvent(text: string): unknown {
  try {
    return parseLosslessJson(Buffer.from(text, 'utf8'), { readNumber: asSent })
  } catch (error) {
    if (error instanceof JsonFault) return text
    throw error
  }
}

/**
 * `GET /api/merchant/quarantine` (contract section 3): what was signed, stored and not applied, oldest first.
 * Throws a `Problem` `invalid_request` with `errors.after` for a cursor that is none.
 */
export const createListQuarantine =
  (store: Pick<Store, 'inbox'>) =>
  async (input: { readonly after: string | null; readonly limit: number }): Promise<QuarantinePage> => {
    const after = readCursor(input.after, 'after')
    const rows = await store.inbox.listQuarantine(after, input.limit)
    const items = rows.map((row) => ({
      id: String(row.id),
      reason: row.reason,
      received_at: new Date(row.received_ms).toISOString(),
      event: readEvent(row.event),
    }))
    return { items, next_cursor: String(rows.at(-1)?.id ?? after) }
  }
