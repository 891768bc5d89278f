import { sql, type RawBuilder } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'

type Milliseconds = RawBuilder<number>

/** The time that leases, claims and due times are compared by: one clock, whatever the clocks of the instances say. */
export interface DatabaseTime {
  /** Now. */
  now(): Milliseconds
  /** So many milliseconds from now. */
  after(ms: number): Milliseconds
  /** A moment of this instance's own clock, by the clock of the database. */
  at(ownMs: number): Milliseconds
  /** A time so many milliseconds from now, in a statement of many rows: what a row gives, and the text that makes it a time. */
  readonly delay: { readonly given: (ms: number) => number; readonly sql: (value: string) => string }
  /** The earlier of two times; null where both are. */
  earlier(one: Milliseconds, other: Milliseconds): RawBuilder<number | null>
  /** The later of two times, none of them null. */
  later(one: Milliseconds, other: Milliseconds): Milliseconds
}

const POSTGRES_NOW = '(extract(epoch from statement_timestamp()) * 1000)::bigint'

/** PostgreSQL would take a bare parameter for a shorter integer. */
const whole = (value: number): Milliseconds => sql<number>`cast(${Math.round(value)} as bigint)`

/**
 * PostgreSQL's own time. With SQLite there is one machine, so its time is this process's `clock`. `mocked` replaces
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
    delay:
      own === null
        ? { given: (ms) => ms, sql: (value) => `(${POSTGRES_NOW} + ${value})` }
        : { given: (ms) => Math.round(own() + ms), sql: (value) => value },
    // PostgreSQL's function skips null, SQLite's returns it.
    earlier: (one, other) =>
      postgres
        ? sql<number | null>`least(${one}, ${other})`
        : sql<number | null>`coalesce(min(${one}, ${other}), ${one}, ${other})`,
    later: (one, other) => (postgres ? sql<number>`greatest(${one}, ${other})` : sql<number>`max(${one}, ${other})`),
  }
}
