import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** Runs a statement: a database, a transaction, or the connection of `pipelined`. */
export interface StatementRunner {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/**
 * Runs the statements that `work` begins without waiting between them: in order, on one connection. PostgreSQL gets
 * them in one message; SQLite runs each at once. If one fails, the later ones in the same transaction fail too.
 */
export const pipelined = <T>(db: Kysely<Tables>, work: (runner: StatementRunner) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection(work)
