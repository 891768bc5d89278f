import { sql, type RawBuilder } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'

type Milliseconds = RawBuilder<number>

/** Twice the length of the longest lease or claim. */
export const LONGEST_HELD_MS = 120_000

/** The clock for leases, claims and due times: a single clock, although the clocks of the instances may differ. */
export interface DatabaseTime {
  /** Now. */
  now(): Milliseconds
  /** This many milliseconds from now. */
  after(ms: number): Milliseconds
  /** Converts a time of this instance's own clock to the clock of the database. */
  at(ownMs: number): Milliseconds
  /**
   * A time this many milliseconds from now, in a statement of many rows: `given` makes the value in a row, and `sql`
   * the expression that turns the value into a time.
   */
  readonly delay: { readonly given: (ms: number) => number; readonly sql: (value: string) => string }
  /**
   * Whether a lease or a claim that ends then is held; null for null. One that ends later than any ends was given by a
   * server whose clock was ahead, and whose place another has taken: its holder may be dead.
   */
  isHeld(until: RawBuilder<unknown>): RawBuilder<boolean>
  /** The earlier of two times; null if both are null. */
  earlier(one: Milliseconds, other: Milliseconds): RawBuilder<number | null>
  /** The later of two times; neither may be null. */
  later(one: Milliseconds, other: Milliseconds): Milliseconds
}

const POSTGRES_NOW = '(extract(epoch from statement_timestamp()) * 1000)::bigint'

/** Without the cast PostgreSQL would take the parameter for a shorter integer. */
const whole = (value: number): Milliseconds => sql<number>`cast(${Math.round(value)} as bigint)`

/**
 * PostgreSQL's own time. SQLite runs on a single machine, so its time is this process's `clock`. `mocked` replaces
 * either, for tests and simulations.
 */
export function databaseTime(flavour: Flavour, clock: () => number, mocked?: () => number): DatabaseTime {
  const postgres = flavour === 'postgres'
  const own = mocked ?? (postgres ? null : clock)
  const now = (): Milliseconds => (own === null ? sql.raw<number>(POSTGRES_NOW) : whole(own()))
  const after = (ms: number): Milliseconds => sql<number>`(${now()} + ${whole(ms)})`
  return {
    now,
    after,
    at: (ownMs) => after(ownMs - clock()),
    isHeld: (until) => sql<boolean>`(${until} > ${now()} and ${until} <= ${after(LONGEST_HELD_MS)})`,
    delay:
      own === null
        ? { given: (ms) => ms, sql: (value) => `(${POSTGRES_NOW} + ${value})` }
        : { given: (ms) => Math.round(own() + ms), sql: (value) => value },
    // PostgreSQL's function skips nulls, SQLite's returns null.
    earlier: (one, other) =>
      postgres
        ? sql<number | null>`least(${one}, ${other})`
        : sql<number | null>`coalesce(min(${one}, ${other}), ${one}, ${other})`,
    later: (one, other) => (postgres ? sql<number>`greatest(${one}, ${other})` : sql<number>`max(${one}, ${other})`),
  }
}
