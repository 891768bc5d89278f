/** New databases for tests: a SQLite file or a PostgreSQL database each, until the caller removes it. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from '../store.ts'

export const FLAVOURS = ['sqlite', 'postgres'] as const

export interface TestDatabase {
  /** In the form of `DATABASE_URL`. */
  readonly url: string
  /** Close every connection first. */
  remove(): Promise<void>
}

/** A migration takes longer than most tests, so it runs once and its result is copied. */
async function makeTables(url: string): Promise<void> {
  const store = await openStore({ url, clock: Date.now, deliver: false })
  await store.close()
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'cashier-store-'))
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

let templateFile: Promise<string> | null = null

/** A file with all tables that exists as long as this process. */
async function newTemplateFile(): Promise<string> {
  const folder = newFolder()
  process.once('exit', () => removeFolder(folder))
  const file = join(folder, 'template.db')
  await makeTables(`file:${file}`)
  return file
}

async function newFile(empty: boolean): Promise<TestDatabase> {
  const folder = newFolder()
  const file = join(folder, 'test.db')
  if (!empty) copyFileSync(await (templateFile ??= newTemplateFile()), file)
  return { url: `file:${file}`, remove: async () => removeFolder(folder) }
}

/** One connection to each server, as long as it is in use: a connect takes as long as a statement. */
const servers = new Map<string, pg.Pool>()

async function ask(postgresUrl: string, statement: string): Promise<void> {
  const known = servers.get(postgresUrl)
  const server = known ?? new pg.Pool({ connectionString: postgresUrl, max: 1, allowExitOnIdle: true })
  // The server may stop before the connection is closed.
  if (known === undefined) server.on('error', () => undefined)
  servers.set(postgresUrl, server)
  await server.query(statement)
}

const IN_USE = '55006'

/**
 * A pool that was ended may still be closing its connections; a connection that is killed then throws in the middle of
 * another test. PostgreSQL itself waits five seconds for connections to close; only after that are they killed.
 */
async function drop(postgresUrl: string, name: string): Promise<void> {
  try {
    await ask(postgresUrl, `drop database ${name}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error
    await ask(postgresUrl, `drop database ${name} with (force)`)
  }
}

function urlOf(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

/** A database with all tables, created once for the whole test run. */
const TEMPLATE = 'cashier_template'

export async function createTemplateDatabase(postgresUrl: string): Promise<void> {
  await ask(postgresUrl, `create database ${TEMPLATE}`)
  await makeTables(urlOf(postgresUrl, TEMPLATE))
}

async function newPostgres(postgresUrl: string, empty: boolean): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // In half of the processor time of the default strategy, which writes each page to the log; so does the drop.
  await ask(postgresUrl, `create database ${name} ${empty ? '' : `template ${TEMPLATE}`} strategy file_copy`)
  return { url: urlOf(postgresUrl, name), remove: () => drop(postgresUrl, name) }
}

/**
 * @param postgresUrl a superuser's address, as the test run provides it
 * @param empty without tables; once it has them, it has its own feed epoch
 */
export const newTestDatabase = async (
  flavour: (typeof FLAVOURS)[number],
  postgresUrl: string,
  { empty = false } = {},
): Promise<TestDatabase> => (flavour === 'sqlite' ? newFile(empty) : newPostgres(postgresUrl, empty))
