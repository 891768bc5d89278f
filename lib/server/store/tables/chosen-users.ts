import { sql, type RawBuilder } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'

/** SQL for an update of the few users that the statement has chosen before, in a `with` of this name. */
export const chosenUsers = (flavour: Flavour) => ({
  /** For `where user_reference_id`. Written so that PostgreSQL looks each of them up, whatever it knows of the table. */
  among: (name: 'found' | 'chosen'): RawBuilder<unknown> =>
    sql.raw(
      flavour === 'postgres'
        ? `= any(array(select user_reference_id from ${name}))`
        : `in (select user_reference_id from ${name})`,
    ),
  /** Rows that another instance takes at this moment, or whose money is being booked, are passed over. */
  skipLocked: sql.raw(flavour === 'postgres' ? 'for update of users skip locked' : ''),
  /** In the order of `users.lock`, so that no two transactions wait for each other. */
  inOrder: sql.raw(`order by user_reference_id ${flavour === 'postgres' ? 'for update' : ''}`),
})
