/** The statements of a SQLite connection: prepared once, with rows as plain objects, and with many rows at a time. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Prepared statements in the cache; most statements run many times. */
const STATEMENT_CACHE = 500

type Value = string | number | bigint | Uint8Array | null

/**
 * The only parameter of a statement that runs once for each row; the returned rows are joined. `together`: the same
 * statement for `size` rows.
 */
export class RowBatch {
  readonly rows: readonly Value[][]
  readonly together: { readonly sql: string; readonly size: number } | null

  constructor(rows: readonly Value[][], together: RowBatch['together'] = null) {
    this.rows = rows
    this.together = together
  }
}

/** A statement that may change rows; it may return rows too. */
const WRITES = /^\s*(?:insert|update|delete|with\b[^]*\b(?:insert|update|delete))\b/i

interface Prepared {
  readonly statement: StatementSync
  readonly writes: boolean
  /** The names of the columns; null: the statement returns no rows. */
  readonly columns: readonly string[] | null
}

/**
 * A row as an object. SQLite's own objects have no prototype, which React does not pass to the browser, and cost three
 * times as much to make and copy.
 */
function rowOf(columns: readonly string[], values: readonly Value[]): Readonly<Record<string, Value>> {
  const row: Record<string, Value> = {}
  for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = values[at] ?? null
  return row
}

const namesOf = (statement: StatementSync): readonly string[] => statement.columns().map(({ name }) => name)

/** What is called on the way. */
export interface StatementHooks {
  /** Called after each commit that changed rows, with their number. */
  readonly onChange?: (rows: number) => void
  /** Called with the error of each statement that failed. */
  readonly onFailure?: (error: unknown) => void
}

/** The connection that all callers share, with its prepared statements. */
export class SharedConnection {
  readonly #db: DatabaseSync
  readonly #onChange: (rows: number) => void
  readonly #onFailure: (error: unknown) => void
  readonly #statements = new Map<string, Prepared>()
  /** Rows whose changes are not committed. */
  #changed = 0

  constructor(db: DatabaseSync, { onChange = () => undefined, onFailure = () => undefined }: StatementHooks) {
    this.#db = db
    this.#onChange = onChange
    this.#onFailure = onFailure
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    const columns = namesOf(statement)
    const prepared = { statement, writes: WRITES.test(sql), columns: columns.length > 0 ? columns : null }
    if (this.#statements.size >= STATEMENT_CACHE) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  get isTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Reports that a statement has failed for good. */
  failed(error: unknown): void {
    this.#onFailure(error)
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(query.sql)
    const { rows, changes } = this.#run(prepared, query)
    if (prepared.writes) this.#changed += changes
    if (this.#changed > 0 && !this.#db.isTransaction) {
      const changed = this.#changed
      this.#changed = 0
      if (query.sql !== 'rollback') this.#onChange(changed)
    }
    return { rows: rows as R[], ...(prepared.columns === null && { numAffectedRows: BigInt(changes) }) }
  }

  /** Returns how many rows were changed: the conditions of a statement may leave a row as it is. */
  #runRows(statement: StatementSync, { rows, together }: RowBatch): number {
    let changes = 0
    let done = 0
    if (together !== null && rows.length >= together.size) {
      const several = this.#prepare(together.sql).statement
      for (; done + together.size <= rows.length; done += together.size)
        changes += Number(several.run(...rows.slice(done, done + together.size).flat()).changes)
    }
    for (const row of rows.slice(done)) changes += Number(statement.run(...row).changes)
    return changes
  }

  #run({ statement, columns }: Prepared, { parameters }: CompiledQuery): { rows: unknown[]; changes: number } {
    const [batch] = parameters
    if (columns === null) {
      if (batch instanceof RowBatch) return { rows: [], changes: this.#runRows(statement, batch) }
      return { rows: [], changes: Number(statement.run(...(parameters as Value[])).changes) }
    }
    // With `setReturnArrays` each row is an array, which the types do not say.
    const read = (values: readonly Value[]) => statement.all(...values) as unknown as readonly Value[][]
    const found = batch instanceof RowBatch ? batch.rows.flatMap(read) : read(parameters as Value[])
    // Another program may have added a column since.
    const names = (found[0]?.length ?? columns.length) === columns.length ? columns : namesOf(statement)
    const rows = found.map((values) => rowOf(names, values))
    return { rows, changes: rows.length }
  }
}
