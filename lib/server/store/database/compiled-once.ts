import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/**
 * Compiles a statement of the query builder at its first use and runs it with other parameters afterwards: the builder
 * takes ten times as long as SQLite needs for a row. `build` takes any value for each parameter, in the order of the
 * statement.
 */
export function compiledOnce<Row>(
  db: Kysely<Tables>,
  build: () => { compile(): CompiledQuery<Row> },
): (...parameters: readonly (string | number)[]) => Promise<readonly Row[]> {
  let query: CompiledQuery<Row> | null = null
  return async (...parameters) => {
    query ??= build().compile()
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
