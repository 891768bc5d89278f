import { CompiledQuery, type QueryResult } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import { RowBatch } from './sqlite-statements.ts'
import type { StatementRunner } from './pipelined.ts'

type Value = string | number | Uint8Array | null
type ColumnType = 'text' | 'bigint' | 'bytea'
type Columns<Row> = { readonly [K in keyof Row]-?: ColumnType }

/** What to do with a row whose key exists: fail, keep the stored row, or replace it. */
type OnConflict = 'fail' | 'keep' | 'replace'

/** A statement that takes any number of rows in one call; its text does not depend on the number. */
export type RowStatement<Row> = (
  db: StatementRunner,
  rows: readonly Row[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

type RowResult<Row> = (
  db: StatementRunner,
  rows: readonly Row[],
) => Promise<QueryResult<Readonly<Record<string, unknown>>>>

const NOTHING = { rows: [], numAffectedRows: 0n }

interface StatementTexts {
  /** For one row. */
  readonly sqlite: string
  /** For so many rows at once, if the statement can take them. */
  readonly sqliteRows?: (count: number) => string
  readonly postgres: (from: string) => string
}

/** Ten rows in one statement take a third less time than one by one; more rows gain nothing. */
const TOGETHER = 10

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/**
 * PostgreSQL gets one array for each column; SQLite runs a prepared statement for each ten rows, and for each row that
 * is left. Both stay below the limits of parameters, and no other number of rows needs a new statement.
 */
function rowResult<Row extends object>(flavour: Flavour, columns: Columns<Row>, texts: StatementTexts): RowResult<Row> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const valuesOf = (row: Row): Value[] => names.map((name) => (row[name] ?? null) as Value)
  if (flavour === 'sqlite') {
    const together = texts.sqliteRows === undefined ? null : { sql: texts.sqliteRows(TOGETHER), size: TOGETHER }
    return async (db, rows) =>
      rows.length === 0
        ? NOTHING
        : db.executeQuery(CompiledQuery.raw(texts.sqlite, [new RowBatch(rows.map(valuesOf), together)]))
  }
  const arrays = names.map((name, index) => `$${String(index + 1)}::${columns[name]}[]`).join(', ')
  const text = texts.postgres(`unnest(${arrays}) as v(${quoted(names)})`)
  return async (db, rows) => {
    if (rows.length === 0) return NOTHING
    const values = names.map((name) => rows.map((row) => row[name] ?? null))
    return db.executeQuery(CompiledQuery.raw(text, values))
  }
}

const rowStatement = <Row extends object>(
  flavour: Flavour,
  columns: Columns<Row>,
  texts: StatementTexts,
): RowStatement<Row> => {
  const run = rowResult(flavour, columns, texts)
  return async (db, rows) => (await run(db, rows)).rows
}

/**
 * The texts of an insertion. `or fail`: SQLite would copy each page that a statement for several rows changes, to undo
 * that statement alone; a failed transaction is rolled back as a whole.
 */
const insertion = (table: string, names: readonly string[], conflict: string): StatementTexts => {
  const sqliteRows = (count: number): string => {
    const marks = `(${names.map(() => '?').join(', ')})`
    return `insert or fail into ${table} (${quoted(names)}) values ${Array.from({ length: count }, () => marks).join(', ')}${conflict}`
  }
  return {
    sqlite: sqliteRows(1),
    sqliteRows,
    postgres: (from) => `insert into ${table} (${quoted(names)}) select * from ${from}${conflict}`,
  }
}

/**
 * Inserts rows into `table`. `columns` has the type of each column; `key` has the columns that may conflict.
 */
export function insertRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  onConflict: OnConflict,
  key: readonly (keyof Row & string)[] = [],
): RowStatement<Row> {
  const names = Object.keys(columns)
  const others = names.filter((name) => !(key as readonly string[]).includes(name))
  const update = `do update set ${others.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
  const conflict = {
    fail: '',
    keep: ` on conflict (${quoted(key)}) do nothing`,
    replace: ` on conflict (${quoted(key)}) ${update}`,
  }[onConflict]
  return rowStatement(flavour, columns, insertion(table, names, conflict))
}

/**
 * Inserts those rows for which `condition` finds a row `held` of another table, which stays locked until the commit.
 * `value(name)` is the expression for a column of the given row; `stored` are the columns that are inserted.
 */
export function insertRowsHeld<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  stored: readonly (keyof Row & string)[],
  held: { readonly table: string; readonly condition: (value: (name: keyof Row & string) => string) => string },
): RowStatement<Row> {
  const names = Object.keys(columns)
  const text = (value: (name: string) => string, from: string): string =>
    `insert into ${table} (${quoted(stored)}) select ${stored.map(value).join(', ')} from ${from}${held.table} held
      where ${held.condition(value)}`
  return rowStatement(flavour, columns, {
    sqlite: text((name) => `?${String(names.indexOf(name) + 1)}`, ''),
    postgres: (from) => `${text((name) => `v."${name}"`, `${from}, `)} for update of held`,
  })
}

/**
 * Inserts rows that must not be stored with other values under their `key`. Returns how many of them are stored now, new
 * or before.
 */
export function confirmRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  key: readonly (keyof Row & string)[],
): (db: StatementRunner, rows: readonly Row[]) => Promise<number> {
  const names = Object.keys(columns)
  const others = names.filter((name) => !(key as readonly string[]).includes(name))
  const set = others.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const same = others.map((name) => `${table}."${name}" = excluded."${name}"`).join(' and ')
  const conflict = ` on conflict (${quoted(key)}) do update set ${set} where ${same}`
  const run = rowResult(flavour, columns, insertion(table, names, conflict))
  return async (db, rows) => Number((await run(db, rows)).numAffectedRows ?? 0n)
}

/** Deletes the rows of `table` that have the values of a given row, in all its columns. */
export function deleteRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
): RowStatement<Row> {
  const names = Object.keys(columns)
  const where = (valueOf: (name: string, index: number) => string): string =>
    names.map((name, index) => `${table}."${name}" = ${valueOf(name, index)}`).join(' and ')
  return rowStatement(flavour, columns, {
    sqlite: `delete from ${table} where ${where((_name, index) => `?${String(index + 1)}`)}`,
    postgres: (from) => `delete from ${table} using ${from} where ${where((name) => `v."${name}"`)}`,
  })
}

/**
 * Updates the rows of `table` that match the given rows by `key`. `set` returns the new values of columns;
 * `value(name)` is the expression for a column of the given row.
 */
export function updateRows<Row extends object>(
  flavour: Flavour,
  table: string,
  columns: Columns<Row>,
  key: readonly (keyof Row & string)[],
  set: (value: (name: keyof Row & string) => string) => Readonly<Record<string, string>>,
  more: {
    /** Updates only rows for which this condition holds. */
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
  // Numbered marks, since a value may occur more than once.
  const mark = (name: string): string => `?${String(names.indexOf(name) + 1)}`
  return rowStatement(flavour, columns, {
    sqlite: `update ${table} set ${assignments(mark)} where ${key.map((name) => `"${name}" = ${mark(name)}`).join(' and ')}${after(mark)}`,
    postgres: (from) => {
      const value = (name: string): string => `v."${name}"`
      return `update ${table} set ${assignments(value)} from ${from} where ${key.map((name) => `${table}."${name}" = ${value(name)}`).join(' and ')}${after(value)}`
    },
  })
}

/**
 * Selects the rows of `table` whose columns equal one of the given lists of values; any number of lists, one statement.
 * `and`: a further condition, such as that of a partial index.
 */
export function selectByKeys<Row>(
  flavour: Flavour,
  table: string,
  columns: readonly string[],
  and = 'true',
): (db: StatementRunner, keys: readonly (readonly string[])[]) => Promise<readonly Row[]> {
  const text =
    flavour === 'sqlite'
      ? `select t.* from json_each(?) k cross join ${table} t where ${columns
          .map((column, index) => `t.${column} = k.value ->> ${String(index)}`)
          .join(' and ')} and ${and}`
      : // `offset 0` keeps the inner select separate: an index is read for each key, even if PostgreSQL has no
        // statistics yet and would cache a plan that reads the whole table.
        `select t.* from unnest(${columns.map((_item, index) => `$${String(index + 1)}::text[]`).join(', ')}) as k(${columns
          .map((_item, index) => `k${String(index)}`)
          .join(', ')}) cross join lateral (select * from ${table} where ${columns
          .map((column, index) => `${table}.${column} = k.k${String(index)}`)
          .join(' and ')} and ${and} offset 0) t`
  return async (db, keys) => {
    if (keys.length === 0) return []
    const values =
      flavour === 'sqlite'
        ? [JSON.stringify(keys)]
        : columns.map((_item, index) => keys.map((values) => values[index] ?? null))
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  }
}
