import { CompiledQuery } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import { RowBatch } from './node-sqlite-dialect.ts'
import type { StatementRunner } from './pipelined.ts'

type Value = string | number | null
type ColumnType = 'text' | 'bigint'
type Columns<Row> = { readonly [K in keyof Row]-?: ColumnType }

/** What becomes of a row whose key is there already: an error, nothing, or it replaces the stored one. */
type OnConflict = 'fail' | 'keep' | 'replace'

/** A statement that takes any number of rows in one call and whose text does not depend on how many. */
export type RowStatement<Row> = (
  db: StatementRunner,
  rows: readonly Row[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/**
 * PostgreSQL gets one array for each column, SQLite runs its prepared statement for each row: both stay below the limits
 * of parameters, and neither has to be prepared anew for another number of rows.
 */
function rowStatement<Row extends object>(
  flavour: Flavour,
  columns: Columns<Row>,
  texts: { readonly sqlite: (marks: readonly string[]) => string; readonly postgres: (from: string) => string },
): RowStatement<Row> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const valuesOf = (row: Row): Value[] => names.map((name) => (row[name] ?? null) as Value)
  if (flavour === 'sqlite') {
    const text = texts.sqlite(names.map(() => '?'))
    return async (db, rows) =>
      rows.length === 0
        ? []
        : (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [new RowBatch(rows.map(valuesOf))])))
            .rows
  }
  const arrays = names.map((name, index) => `$${String(index + 1)}::${columns[name]}[]`).join(', ')
  const text = texts.postgres(`unnest(${arrays}) as v(${quoted(names)})`)
  return async (db, rows) => {
    if (rows.length === 0) return []
    const values = names.map((name) => rows.map((row) => row[name] ?? null))
    return (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))).rows
  }
}

/**
 * Inserts rows into `table`. `columns` names each column of a row with its type; `key` is the one that may conflict.
 * A row for which the select of `unless` finds anything is left out; `value(name)` is what the row has under a name.
 */
export function insertRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  onConflict: OnConflict,
  key: readonly (keyof Row & string)[] = [],
  { unless }: { readonly unless?: (value: (name: keyof Row & string) => string) => string } = {},
): RowStatement<Row> {
  const names = Object.keys(columns)
  const others = names.filter((name) => !(key as readonly string[]).includes(name))
  const conflict = {
    fail: '',
    keep: ` on conflict (${quoted(key)}) do nothing`,
    replace: ` on conflict (${quoted(key)}) do update set ${others.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`,
  }[onConflict]
  return rowStatement(flavour, columns, {
    sqlite: (marks) =>
      unless === undefined
        ? `insert into ${table} (${quoted(names)}) values (${marks.join(', ')})${conflict}`
        : `insert into ${table} (${quoted(names)}) select ${marks.map((_item, index) => `?${String(index + 1)}`).join(', ')}
          where not exists (${unless((name) => `?${String(names.indexOf(name) + 1)}`)})${conflict}`,
    postgres: (from) =>
      `insert into ${table} (${quoted(names)}) select * from ${from}` +
      (unless === undefined ? '' : ` where not exists (${unless((name) => `v."${name}"`)})`) +
      conflict,
  })
}

/**
 * Updates the rows of `table` that have the values of `key`. `set` gives a column's new value, with `value(name)` for
 * what the given row has under a name.
 */
export function updateRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  key: keyof Row & string,
  set: (value: (name: keyof Row & string) => string) => Readonly<Record<string, string>>,
  more: {
    /** Only rows for which this holds. */
    readonly where?: (value: (name: keyof Row & string) => string) => string
    readonly returning?: string
  } = {},
): RowStatement<Row> {
  const names = Object.keys(columns)
  const assignments = (value: (name: string) => string): string =>
    Object.entries(set(value))
      .map(([column, expression]) => `"${column}" = ${expression}`)
      .join(', ')
  const after = (value: (name: string) => string): string =>
    (more.where === undefined ? '' : ` and (${more.where(value)})`) +
    (more.returning === undefined ? '' : ` returning ${more.returning}`)
  return rowStatement(flavour, columns, {
    // Numbered marks: a value may stand more than once.
    sqlite: () => {
      const mark = (name: string): string => `?${String(names.indexOf(name) + 1)}`
      return `update ${table} set ${assignments(mark)} where "${key}" = ${mark(key)}${after(mark)}`
    },
    postgres: (from) => {
      const value = (name: string): string => `v."${name}"`
      return `update ${table} set ${assignments(value)} from ${from} where ${table}."${key}" = v."${key}"${after(value)}`
    },
  })
}

/** Selects the rows of `table` whose columns have one of the given lists of values; any number of lists, one statement. */
export function selectByKeys<Row>(
  flavour: Flavour,
  table: string,
  columns: readonly string[],
): (db: StatementRunner, keys: readonly (readonly string[])[]) => Promise<readonly Row[]> {
  const text =
    flavour === 'sqlite'
      ? `select t.* from json_each(?) k cross join ${table} t where ${columns
          .map((column, index) => `t.${column} = k.value ->> ${String(index)}`)
          .join(' and ')}`
      : // `offset 0` keeps the inner select by itself: an index is read for each key, also where PostgreSQL has no
        // statistics yet and would cache a plan that reads the whole table.
        `select t.* from unnest(${columns.map((_item, index) => `$${String(index + 1)}::text[]`).join(', ')}) as k(${columns
          .map((_item, index) => `k${String(index)}`)
          .join(', ')}) cross join lateral (select * from ${table} where ${columns
          .map((column, index) => `${table}.${column} = k.k${String(index)}`)
          .join(' and ')} offset 0) t`
  return async (db, keys) => {
    if (keys.length === 0) return []
    const values =
      flavour === 'sqlite'
        ? [JSON.stringify(keys)]
        : columns.map((_item, index) => keys.map((values) => values[index] ?? null))
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  }
}
