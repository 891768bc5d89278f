/** A real PgBouncer in front of a PostgreSQL of the tests, from Debian's package. */
import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCommand, installPackages, isCommand } from './debian-packages.ts'
import { freePort } from './free-port.ts'
import { postgresOwner } from './postgres.ts'
import { startSupervised } from './supervised-process.ts'

const PGBOUNCER = 'pgbouncer'
/** Where Debian has it; a user's PATH may not have that folder. */
const USUAL_PATH = '/usr/sbin/pgbouncer'
const DOWNLOAD_S = 120

export const hasPgbouncer = (): boolean => isCommand(PGBOUNCER) || existsSync(USUAL_PATH)

/** Installs it if it can, and prints if it is still missing. */
export async function installPgbouncer(): Promise<void> {
  if (!hasPgbouncer()) await installPackages([PGBOUNCER], DOWNLOAD_S)
  if (!hasPgbouncer()) console.log('skipped: pgbouncer, which is not installed')
}

export interface Pgbouncer {
  /** The address of the same database through PgBouncer. */
  readonly url: string
  stop(): Promise<void>
}

export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  settings: Readonly<Record<string, string>> = {},
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const file = join(folder, 'pgbouncer.ini')
  const lines = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: mode }
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
      '[pgbouncer]',
      ...Object.entries({ ...lines, ...settings }).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
    { mode: 0o600 },
  )
  const who = await postgresOwner()
  if (who.uid !== undefined && who.gid !== undefined)
    for (const path of [folder, file]) chownSync(path, who.uid, who.gid)
  const pooler = await startSupervised({
    command: findCommand(PGBOUNCER) ?? USUAL_PATH,
    args: [file],
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] },
    cwd: folder,
    ready: /process up/,
    signal: 'SIGINT',
    removeAfter: [folder],
    ...who,
  })
  return {
    url: `postgres://cashier@127.0.0.1:${String(port)}${pathname}`,
    stop: async () => {
      await pooler.stop()
    },
  }
}
