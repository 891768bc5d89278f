import { sql, type Kysely } from 'kysely'
import { TABLES_BY_USER } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'

/** `DATABASE_PARTITIONS` is not the number with which the tables of the database were made, or no number at all. */
export class PartitionsError extends Error {
  override readonly name = 'PartitionsError'
}

function faultOf(wanted: number, stored: number | null): string {
  const [made, what] =
    stored === null
      ? ['without partitions', 'leave it out']
      : [`with ${stored} partitions`, `set it to ${stored}, or leave it out`]
  return `DATABASE_PARTITIONS is ${wanted}, but the tables of this database were made ${made} and keep them: ${what}`
}

/** PostgreSQL: how many partitions each table by user has; null: it has none. */
async function storedPartitions(db: Kysely<Tables>): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_inherits where inhparent = ${TABLES_BY_USER[0]}::regclass`.execute(db)
  const count = rows[0]?.count ?? 0
  return count === 0 ? null : count
}

/** @throws PartitionsError if the tables have another number of partitions; null: any number is right */
export async function checkPartitions(db: Kysely<Tables>, wanted: number | null): Promise<void> {
  if (wanted === null) return
  const stored = await storedPartitions(db)
  if (stored !== wanted) throw new PartitionsError(faultOf(wanted, stored))
}
