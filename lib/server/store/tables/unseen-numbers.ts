/**
 * A standby that is promoted may lack commits that nobody was told of, but that somebody has read: a primary that is
 * shut down, or restarts after a crash, shows what it wrote before its standby has it. A stream or the feed may have
 * given numbers to such events. If other events got the same numbers, a reader who resumes after them would miss these.
 * So after a promotion, and after a restore, the numbers go on beyond all that anybody can have seen.
 */
import { sql, type Kysely } from 'kysely'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { FEED } from './feed-epoch.ts'

/** More events than the feed can have lost. */
const LOST_NUMBERS = 1_000_000

/** In `counters`, followed by the last number before the numbers that were left out: how many they are. */
const SKIPPED = 'merchant_events_skipped:'

/** The least last number of each stream: events get numbers above it. */
export const STREAM_BASE = "(select coalesce(max(value), 0) from reconciliation where name = 'stream_base')"

/** SQL: whether this number may be such a last number, now or earlier. */
export const isStreamBase = (number: string): string => `(${number} > 1000000000000000 and (${number}) % 1000 = 0)`

/** SQL: how many numbers were left out above a number of the feed, which is SQL too. */
export const skippedAbove = (number: string): string =>
  `(select coalesce(sum(value), 0) from counters where name like '${SKIPPED}%'
    and cast(substr(name, ${String(SKIPPED.length + 1)}) as bigint) >= ${number})`

/** SQL: whether numbers were left out after a number of the feed. */
export const isSkippedAfter = (number: string): string =>
  `exists (select 1 from counters where name = '${SKIPPED}' || ${number})`

export const unseenNumbersOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const greatest = sql.raw(flavour === 'postgres' ? 'greatest' : 'max')
  return {
    /** Streams have less than an event in a microsecond, so no number of a stream is as large as the time. */
    async renumberStreams(): Promise<void> {
      const base = sql<number>`${time.now()} * 1000`
      await db
        .insertInto('reconciliation')
        .values({ name: 'stream_base', value: base })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ value: sql<number>`${greatest}(reconciliation.value + ${sql.lit(LOST_NUMBERS)}, ${base})` }),
        )
        .execute()
    },

    async renumberFeed(): Promise<void> {
      await sql`
        insert into counters (name, value)
        select ${sql.lit(SKIPPED)} || value, ${sql.lit(LOST_NUMBERS)} from counters where name = ${FEED}`.execute(db)
      await sql`update counters set value = value + ${sql.lit(LOST_NUMBERS)} where name = ${FEED}`.execute(db)
    },
  }
}
