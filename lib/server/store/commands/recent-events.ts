import { existsSync } from 'node:fs'
import { connectDatabase } from '../database/database.ts'
import { unpackText } from '../database/packed-text.ts'

/** How many quarantined events of other merchants are read; further ones add no information. */
const MOST_FOREIGN = 1000
const PAGE = 500

export interface RecentEvents {
  /** Bodies of open `other_merchant` events, newest first, at most 1,000. */
  readonly foreign: readonly string[]
  /** True if `isOurs` accepts the body of an applied event; false without a check if `foreign` is empty. */
  readonly someApplied: boolean
}

/**
 * Reads the events since `sinceMs` that are in quarantine as another merchant's, and whether an event that `isOurs`
 * accepts was applied. Writes nothing.
 * @throws the database's own error
 */
export async function readRecentEvents(
  url: string,
  sinceMs: number,
  isOurs: (body: string) => boolean,
): Promise<RecentEvents> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return { foreign: [], someApplied: false }
  const database = connectDatabase(url)
  const { db } = database
  const someApplied = async (): Promise<boolean> => {
    for (let offset = 0; ; offset += PAGE) {
      const rows = await db
        .selectFrom('webhooks')
        .select('body')
        .where('received_ms', '>=', sinceMs)
        .where('outcome', '=', 'applied')
        .orderBy('received_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(PAGE)
        .offset(offset)
        .execute()
      if (rows.some(({ body }) => isOurs(unpackText(body)))) return true
      if (rows.length < PAGE) return false
    }
  }
  try {
    const rows = await db
      .selectFrom('quarantine')
      .select('event')
      .where('reason', '=', 'other_merchant')
      .where('settled_ms', 'is', null)
      .where('received_ms', '>=', sinceMs)
      .orderBy('id', 'desc')
      .limit(MOST_FOREIGN)
      .execute()
    const foreign = rows.map(({ event }) => event)
    return { foreign, someApplied: foreign.length > 0 && (await someApplied()) }
  } finally {
    await database.close()
  }
}
