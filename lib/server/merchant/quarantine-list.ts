import type { QuarantineQuery } from '#lib/contract/merchant-requests.ts'
import { JsonFault, parseLosslessJson } from '../gateway/lossless-json.ts'
import type { QuarantineRow, SettledBy, Store } from '../store/types.ts'
import { readReason } from './quarantine-reasons.ts'
import { readCursor } from './read-cursor.ts'

export interface QuarantineItem {
  readonly id: string
  readonly reason: string
  readonly received_at: string
  /** The event as received; `JSON.stringify` writes its numbers with every digit received. */
  readonly event: unknown
  /** Null while it is open. */
  readonly settled_at: string | null
  readonly settled_by: SettledBy | null
  readonly note: string | null
}

export interface QuarantinePage {
  readonly items: readonly QuarantineItem[]
  /** The `after` of the next call, also on the last page. */
  readonly next_cursor: string
}

/** Node has `rawJSON`; TypeScript's library does not have it yet. */
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

/** A row, as the merchant sees it. */
export const quarantineItem = (row: QuarantineRow): QuarantineItem => ({
  id: String(row.id),
  reason: row.reason,
  received_at: new Date(row.received_ms).toISOString(),
  event: readEvent(row.event),
  settled_at: row.settled_ms === null ? null : new Date(row.settled_ms).toISOString(),
  settled_by: row.settled_by,
  note: row.note,
})

/**
 * `GET /api/merchant/quarantine` (docs/reference/merchant-api.md, "List what was stored and not applied"): signed
 * events that were stored and not applied, either open or settled, oldest first.
 * @throws Problem `invalid_request` with `errors.after` for an invalid cursor, `errors.reason` for an unknown reason
 */
export const createListQuarantine =
  (store: Pick<Store, 'quarantine'>) =>
  async ({ reason, state, ...page }: QuarantineQuery): Promise<QuarantinePage> => {
    const after = readCursor(page.after, 'after')
    const filter = { reason: readReason(reason), settled: state === 'settled' }
    const rows = await store.quarantine.list({ ...filter, after, limit: page.limit })
    return { items: rows.map(quarantineItem), next_cursor: String(rows.at(-1)?.id ?? after) }
  }
