import { CompiledQuery } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import type { StatementRunner } from './pipelined.ts'

export interface RowsByName {
  readonly table: string
  /** The column that has the name. */
  readonly column: string
  /** What the name may be, as literals. */
  readonly kinds: string
  /** A further condition on the row `t` and on the row `r` of `row_users`. */
  readonly and?: string
}

/** Selects rows by names that are given without their user, to which `row_users` leads; one statement for any number. */
export function selectNamed<Row>(
  flavour: Flavour,
  { table, column, kinds, and = 'true' }: RowsByName,
): (db: StatementRunner, names: readonly string[]) => Promise<readonly Row[]> {
  const isOwn = `t.user_reference_id = r.user_reference_id and t.${column} = r.name and ${and}`
  const text =
    flavour === 'sqlite'
      ? `select t.* from json_each(?) k cross join row_users r cross join ${table} t
          where r.name = k.value and r.kind in (${kinds}) and ${isOwn}`
      : // As in `selectByKeys`: an index is read for each name.
        `select t.* from unnest($1::text[]) as k(value)
          cross join lateral (select * from row_users where row_users.name = k.value
            and row_users.kind in (${kinds}) offset 0) r
          cross join lateral (select * from ${table} as t where ${isOwn} offset 0) t`
  return async (db, names) => {
    if (names.length === 0) return []
    const given = flavour === 'sqlite' ? JSON.stringify(names) : names
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, [given]))).rows
  }
}
