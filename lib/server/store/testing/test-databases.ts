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
  /** Close every connection first. A database on PostgreSQL is removed soon after. */
  remove(): Promise<void>
}

/** A migration takes longer than most tests, so it runs once and its result is copied. */
async function makeTables(url: string, partitions: number | null = null): Promise<void> {
  const store = await openStore({ url, clock: Date.now, deliver: false, partitions })
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

/** One connection to each server for each use, as long as it is in use: a connect takes as long as a statement. */
const servers = new Map<string, pg.Pool>()

async function ask(use: 'create' | 'drop', postgresUrl: string, statement: string): Promise<void> {
  const known = servers.get(`${use} ${postgresUrl}`)
  const server = known ?? new pg.Pool({ connectionString: postgresUrl, max: 1, allowExitOnIdle: true })
  // The server may stop before the connection is closed.
  if (known === undefined) server.on('error', () => undefined)
  servers.set(`${use} ${postgresUrl}`, server)
  await server.query(statement)
}

/**
 * A pool that was ended may still be closing its connections; a connection that is killed then throws in the middle of
 * another test. PostgreSQL itself waits five seconds for connections to close, in steps of 100 ms; only after that are
 * they killed. No test waits for that, and what is left goes with the server.
 */
function dropLater(postgresUrl: string, name: string): void {
  void ask('drop', postgresUrl, `drop database ${name}`)
    .catch(() => ask('drop', postgresUrl, `drop database ${name} with (force)`))
    .catch(() => undefined)
}

function urlOf(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

/** As few as show that a statement names its user. */
const PARTITIONS = 3

/** Databases with all tables, created once for the whole test run: with partitions, and without. */
const TEMPLATES = { partitioned: 'cashier_template_partitioned', whole: 'cashier_template' } as const

export async function createTemplateDatabases(postgresUrl: string): Promise<void> {
  for (const [name, partitions] of [
    [TEMPLATES.partitioned, PARTITIONS],
    [TEMPLATES.whole, null],
  ] as const) {
    await ask('create', postgresUrl, `create database ${name}`)
    await makeTables(urlOf(postgresUrl, name), partitions)
  }
}

async function newPostgres(postgresUrl: string, { empty, partitioned }: Required<Wanted>): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = empty ? '' : ` template ${partitioned ? TEMPLATES.partitioned : TEMPLATES.whole}`
  // In half of the processor time of the default strategy, which writes each page to the log; so does the drop.
  await ask('create', postgresUrl, `create database ${name}${template} strategy file_copy`)
  return { url: urlOf(postgresUrl, name), remove: async () => dropLater(postgresUrl, name) }
}

interface Wanted {
  /** Without tables; once it has them, it has its own feed epoch. */
  readonly empty?: boolean
  /** Only PostgreSQL: with hash partitions. The store's own tests have them; a copy of their tables takes longer. */
  readonly partitioned?: boolean
}

/** @param postgresUrl a superuser's address, as the test run provides it */
export const newTestDatabase = async (
  flavour: (typeof FLAVOURS)[number],
  postgresUrl: string,
  { empty = false, partitioned = false }: Wanted = {},
): Promise<TestDatabase> => (flavour === 'sqlite' ? newFile(empty) : newPostgres(postgresUrl, { empty, partitioned }))
