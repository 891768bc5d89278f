import { sql, type Kysely } from 'kysely'
import { statements, type Flavour } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'

/** What a statement makes, by name. */
const MADE = /^create (?:unlogged |unique )?(?:table|index|trigger) (\w+)/

const UNIQUE_COLUMN = /^(\w+) text collate "C" not null unique$/

/** The names that PostgreSQL gives to the keys of a table, and those of its named constraints. */
function constraintsOf(table: string, statement: string): readonly string[] {
  const columns = statement.split(/[(,]/).flatMap((part) => UNIQUE_COLUMN.exec(part.trim())?.[1] ?? [])
  const several = [...statement.matchAll(/\bunique \(([\w, ]{1,200})\)/g)].map(([, list = '']) =>
    list.replaceAll(', ', '_'),
  )
  return [
    ...(/\bprimary key\b/.test(statement) ? [`${table}_pkey`] : []),
    ...[...columns, ...several].map((column) => `${table}_${column}_key`),
    ...[...statement.matchAll(/\bconstraint (\w+)/g)].map(([, name = '']) => name),
  ]
}

/** SQLite has the constraints in the statement of the table, so they cannot be missing. */
function madeBy(statement: string, flavour: Flavour): readonly string[] {
  const name = MADE.exec(statement)?.[1]
  if (name === undefined) return []
  const isTable = flavour === 'postgres' && / table /.test(statement.slice(0, 22))
  return isTable ? [name, ...constraintsOf(name, statement)] : [name]
}

/** An index that could not be built, also in one partition, is there and not valid. */
const PRESENT: Readonly<Record<Flavour, string>> = {
  sqlite: 'select name from sqlite_master',
  postgres: `select c.relname as name from pg_class c left join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and coalesce(i.indisvalid, true)
    union select conname from pg_constraint where connamespace = current_schema()::regnamespace and convalidated
    union select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`,
}

/**
 * The tables, keys, constraints, indexes and triggers of the migrations that the database lacks. A plain dump has all but
 * the tables after its rows: one that was cut off there restores without an error.
 */
export async function missingObjects(db: Kysely<Tables>, flavour: Flavour): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`${sql.raw(PRESENT[flavour])}`.execute(db)
  const present = new Set(rows.map(({ name }) => name))
  const made = statements(flavour, null).flatMap((statement) => madeBy(statement, flavour))
  return made.filter((name) => !present.has(name))
}
