/** The content of all tables, comparable between two databases. */
import type { Row, WorldDatabase } from './world-database.ts'

/** The rows of each table, each as text. */
export type TableDumps = ReadonlyMap<string, readonly string[]>

/** The notes of a database about itself; `rate_limits` and `commit_marks` have rows on PostgreSQL alone. */
const OF_THE_DATABASE = /^(sqlite_.*|schema_migrations|rate_limits|commit_marks)$/

/** These ids have gaps where a transaction was rolled back, but on PostgreSQL alone. */
const GENERATED = new Map([
  ['quarantine', 'id'],
  ['postings', 'id'],
  ['delivery_attempts', 'id'],
])

/** The epoch is random in each database; it is in the cursor of an event that is sent, and so in its signature. */
const withoutEpoch = (text: string): string =>
  text
    .replaceAll(/"epoch":"[0-9a-f]{44}"/g, '"epoch":"…"')
    .replaceAll(/\\"cursor\\":\\"[0-9a-f]{24}-/g, '\\"cursor\\":\\"…-')
    .replaceAll(/"signature":"v1,[^"]{44}"/g, '"signature":"…"')

/** Both databases return bytes, but JSON writes the two classes differently. */
const cellOf = (cell: unknown): unknown => (cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell)

const textOf = (row: Row): string => {
  const cells = Object.entries(row).map(([name, cell]) => [name, cellOf(cell)] as const)
  return withoutEpoch(JSON.stringify(Object.fromEntries(cells.sort())))
}

function textsOf(table: string, rows: readonly Row[]): readonly string[] {
  const id = GENERATED.get(table)
  if (id === undefined) return rows.map(textOf).sort()
  return rows
    .toSorted((one, other) => Number(one[id]) - Number(other[id]))
    .map((row, place) => textOf({ ...row, [id]: place }))
}

export async function tableDumps(database: Pick<WorldDatabase, 'tables' | 'rows'>): Promise<TableDumps> {
  const dumps = new Map<string, readonly string[]>()
  for (const table of (await database.tables()).toSorted())
    if (!OF_THE_DATABASE.test(table)) dumps.set(table, textsOf(table, await database.rows(`select * from "${table}"`)))
  return dumps
}
