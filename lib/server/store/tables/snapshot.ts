import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { auditOf } from './audit.ts'
import { contentsOf } from './contents.ts'
import { wholeLedgerOf, type WholeLedger } from './whole-ledger.ts'
import { connectDatabase, type Database } from '../database/database.ts'
import { NodeSqliteDialect } from '../database/node-sqlite-dialect.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'

export type Snapshot = WholeLedger & {
  /** Reads what the database has besides its ledger. */
  readonly contents: ReturnType<typeof contentsOf>
  readonly audit: Pick<ReturnType<typeof auditOf>, 'after' | 'head'>
}

const readOnly = <T>(db: Kysely<Tables>, flavour: Flavour, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) =>
      work({
        ...wholeLedgerOf(transaction),
        contents: contentsOf(transaction, flavour),
        audit: auditOf(transaction, flavour),
      }),
    )

/** Uses its own connection: with a write-ahead log a reader delays no writer, and sees one state until its end. */
async function ofFile<T>(path: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(new DatabaseSync(path, { readOnly: true })) })
  try {
    return await readOnly(db, 'sqlite', work)
  } finally {
    await db.destroy()
  }
}

/** Reads the ledger in the state of one moment, while others write. Writes nothing. */
export async function readSnapshot<T>(database: Database, work: (ledger: WholeLedger) => Promise<T>): Promise<T> {
  // A database in memory has only one connection.
  if (database.file === ':memory:')
    return database.db.transaction().execute((transaction) => work(wholeLedgerOf(transaction)))
  return database.file === null ? readOnly(database.db, database.flavour, work) : ofFile(database.file, work)
}

/** The same for a database that is not open yet: its tables stay as they are. */
export async function openSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  if (url.startsWith('file:')) return ofFile(url.slice('file:'.length), work)
  const database = connectDatabase(url)
  try {
    return await readOnly(database.lanes.commands, database.flavour, work)
  } finally {
    await database.close()
  }
}
