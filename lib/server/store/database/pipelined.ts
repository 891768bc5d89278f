import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** What runs a statement: a database, a transaction, or the connection of `pipelined`. */
export interface StatementRunner {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/**
 * Runs the statements that `work` begins without waiting for one another: in their order, on one connection. PostgreSQL
 * gets them in one message, SQLite runs each at once. If one fails, so do those after it in the same transaction.
 */
export const pipelined = <T>(db: Kysely<Tables>, work: (runner: StatementRunner) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection(work)
