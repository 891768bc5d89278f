import { sql, type RawBuilder } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'

/** SQL to update the few users that the same statement has selected before, in a `with` of this name. */
export const chosenUsers = (flavour: Flavour) => ({
  /** For `where user_reference_id`. In this form PostgreSQL looks up each user, with or without table statistics. */
  among: (name: 'found' | 'chosen'): RawBuilder<unknown> =>
    sql.raw(
      flavour === 'postgres'
        ? `= any(array(select user_reference_id from ${name}))`
        : `in (select user_reference_id from ${name})`,
    ),
  /** Skips rows that another instance is claiming, or whose money is being booked. */
  skipLocked: sql.raw(flavour === 'postgres' ? 'for update of users skip locked' : ''),
  /** The order of `users.lock`, so that no two transactions wait for each other. */
  inOrder: sql.raw(`order by user_reference_id ${flavour === 'postgres' ? 'for update' : ''}`),
})
