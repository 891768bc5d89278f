/**
 * How many calls each caller made in the current minute, on PostgreSQL, where all instances count together. The table
 * `rate_limits` is unlogged, so no commit waits for the disk; after a crash, and on a promoted standby, it is empty.
 */
import type pg from 'pg'

export const MINUTE_MS = 60_000

export interface CallCount {
  readonly count: number
  /** The milliseconds until the caller's minute ends. It began with the first call. */
  readonly leftMs: number
}

/** Adds the calls of each key, and returns the counts after them. */
export type AddCalls = (calls: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, CallCount>>

const NOW = '(extract(epoch from statement_timestamp()) * 1000)::bigint'

/** In the order of the keys, so that two instances never wait for each other's rows in a circle. */
const ADD = `
  insert into rate_limits as kept (key, count, until_ms)
  select key, calls, ${NOW} + ${MINUTE_MS} from unnest($1::text[], $2::integer[]) as added (key, calls) order by key
  on conflict (key) do update set
    count = excluded.count + case when kept.until_ms > ${NOW} then kept.count else 0 end,
    until_ms = case when kept.until_ms > ${NOW} then kept.until_ms else excluded.until_ms end
  returning key, count, (until_ms - ${NOW})::integer as left_ms`

const DELETE_PAST = `
  delete from rate_limits where key in (
    select key from rate_limits where until_ms <= ${NOW} order by key for update skip locked)`
/** How often an instance deletes the minutes that are over. */
const DELETE_EVERY_MS = 5 * MINUTE_MS

export function sharedCallCounts(pool: pg.Pool): AddCalls {
  let deletedMs = performance.now()

  const deletePast = async (): Promise<void> => {
    if (performance.now() - deletedMs < DELETE_EVERY_MS) return
    deletedMs = performance.now()
    await pool.query(DELETE_PAST)
  }

  return async (calls) => {
    const values = [[...calls.keys()], [...calls.values()]]
    const { rows } = await pool.query<{ key: string; count: number; left_ms: number }>({
      name: 'rate_limits_add',
      text: ADD,
      values,
    })
    // If it fails, a later instance or time deletes them.
    deletePast().catch(() => undefined)
    return new Map(rows.map(({ key, count, left_ms }) => [key, { count, leftMs: left_ms }]))
  }
}
