/** Fresh databases for tests: one SQLite file or one PostgreSQL database each, gone when the caller says so. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export const FLAVOURS = ['sqlite', 'postgres'] as const

export interface TestDatabase {
  /** As in `DATABASE_URL`. */
  readonly url: string
  /** Close every connection first. */
  remove(): Promise<void>
}

function newFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-store-'))
  return {
    url: `file:${join(folder, 'test.db')}`,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function ask(postgresUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  // The server may stop while the connection closes.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const IN_USE = '55006'

/**
 * A pool that was ended may still be closing its connections, and one that is killed meanwhile throws in the middle of
 * another test. PostgreSQL waits five seconds for them by itself; only then they are killed.
 */
async function drop(postgresUrl: string, name: string): Promise<void> {
  try {
    await ask(postgresUrl, `drop database ${name}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error
    await ask(postgresUrl, `drop database ${name} with (force)`)
  }
}

async function newPostgres(postgresUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await ask(postgresUrl, `create database ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => drop(postgresUrl, name) }
}

/** `postgresUrl` is a superuser's address, as the test run provides it. */
export const newTestDatabase = async (
  flavour: (typeof FLAVOURS)[number],
  postgresUrl: string,
): Promise<TestDatabase> => (flavour === 'sqlite' ? newFile() : newPostgres(postgresUrl))
