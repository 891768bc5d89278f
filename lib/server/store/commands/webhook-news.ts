import { existsSync } from 'node:fs'
import { connectDatabase } from '../database/database.ts'

export interface WebhookNews {
  /** When the last webhook was accepted; null: none was. */
  readonly acceptedMs: number | null
  /** How many were refused since, as far as the instances have reported. */
  readonly refused: number
  /** The problem codes that they were answered. */
  readonly codes: readonly string[]
}

/**
 * Reads what came of the gateway's webhooks; null without a database file. Writes nothing.
 * @throws the database's error
 */
export async function readWebhookNews(url: string): Promise<WebhookNews | null> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return null
  const database = connectDatabase(url)
  const { db } = database
  try {
    const last = await db
      .selectFrom('webhooks')
      .select((eb) => eb.fn.max('received_ms').as('ms'))
      .executeTakeFirst()
    const acceptedMs = last?.ms ?? null
    const reports = await db
      .selectFrom('instance_reports')
      .select(['count', 'detail'])
      .where('what', '=', 'webhook_refused')
      .where('last_ms', '>', acceptedMs ?? 0)
      .execute()
    return {
      acceptedMs,
      refused: reports.reduce((sum, { count }) => sum + count, 0),
      codes: [...new Set(reports.flatMap(({ detail }) => detail ?? []))],
    }
  } finally {
    await database.close()
  }
}
