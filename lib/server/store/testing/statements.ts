/** Shows what the database does for a query, for tests that check how much is read. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { vi } from 'vitest'
import type { Store } from '../store.ts'

const ASKED = /^\s*(select|update|delete|with)\b/i

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node['Rows Removed by Index Recheck'] ?? 0) +
  (node.Plans ?? []).reduce((total, below) => total + rowsOf(below), 0)

/** PostgreSQL: the statements that are sent while `ask` runs, with their parameters. */
export async function postgresStatements(
  ask: () => Promise<unknown>,
): Promise<readonly (readonly [text: string, values: unknown[]])[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await ask()
  const calls = query.mock.calls as unknown as [string | pg.QueryConfig, unknown[] | undefined][]
  query.mockRestore()
  return calls.map(([given, values]) =>
    typeof given === 'string' ? [given, values ?? []] : [given.text, given.values ?? []],
  )
}

/** PostgreSQL: how many rows the statements of `ask` touch when they run again (without inserts). */
export async function rowsTouched(store: Store, ask: () => Promise<unknown>): Promise<number> {
  const asked = (await postgresStatements(ask)).filter(([text]) => ASKED.test(text))
  if (asked.length === 0) throw new Error('nothing was asked')
  const client = await store.database.pool?.connect()
  if (client === undefined) throw new Error('only PostgreSQL says how many rows it touched')
  let rows = 0
  try {
    await client.query('begin')
    for (const [text, values] of asked) {
      const plan = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      for (const row of plan.rows) rows += rowsOf(row['QUERY PLAN'][0].Plan)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
  return rows
}

/** SQLite: the plan of each statement that `ask` runs for the first time on its connection, a line for each step. */
export async function sqlitePlans(url: string, ask: () => Promise<unknown>): Promise<readonly string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await ask()
  const statements = new Set(prepare.mock.calls.map(([text]) => text).filter((text) => ASKED.test(text)))
  prepare.mockRestore()
  const db = new DatabaseSync(url.slice('file:'.length))
  const plans = [...statements].flatMap((text) =>
    db
      .prepare(`explain query plan ${text}`)
      .all()
      .map((row) => String(row['detail'])),
  )
  db.close()
  return plans
}
