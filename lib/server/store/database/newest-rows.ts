import { CompiledQuery } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import type { StatementRunner } from './pipelined.ts'

export interface NewestOf {
  readonly table: string
  /** The column whose value is given. */
  readonly column: string
  /** A unique column by which rows are ordered; an index has both. */
  readonly order: string
  /** A further condition, such as that of a partial index. */
  readonly and?: string
  /** The most rows for each value. */
  readonly limit: number
}

/** Selects the newest rows of each of these values, with one statement for any number of values. */
export function selectNewest<Row>(
  flavour: Flavour,
  { table, column, order, and = 'true', limit }: NewestOf,
): (db: StatementRunner, values: readonly string[]) => Promise<readonly Row[]> {
  const newest = (wanted: string, value: string): string =>
    `select ${wanted} from ${table} where ${table}.${column} = ${value} and ${and} order by ${order} desc limit ${String(limit)}`
  const text =
    flavour === 'sqlite'
      ? `select t.* from json_each(?) k cross join ${table} t where t.${order} in (${newest(order, 'k.value')})`
      : `select t.* from unnest($1::text[]) as k(value) cross join lateral (${newest('*', 'k.value')}) t`
  return async (db, values) => {
    if (values.length === 0) return []
    const given = flavour === 'sqlite' ? JSON.stringify(values) : values
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, [given]))).rows
  }
}
