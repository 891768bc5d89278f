import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { probeDatabase } from '../../store/commands/probe.ts'
import { DatabaseFileError } from '../../store/database/database-file.ts'
import { ForeignLogError } from '../../store/database/foreign-log.ts'
import { NewerSchemaError } from '../../store/database/schema-guard.ts'
import { serverAddress } from '../../store/database/server-address.ts'
import { NoSessionsError } from '../../store/database/server-facts.ts'
import { nearestFolder } from './check-disk.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'
import { tlsFix } from './tls-fault.ts'

/** Fixes by the codes of PostgreSQL and Node; the first match counts. */
const POSTGRES_FIXES: readonly (readonly [RegExp, (database: string, user: string) => string])[] = [
  [
    /^3D000/,
    (database, user) =>
      `create the database, for example with \`createdb --owner=${user} ${database}\`, or correct the name in DATABASE_URL; the cashier creates its tables, not the database`,
  ],
  [/^28/, () => 'check the user and the password in DATABASE_URL, and pg_hba.conf of the server'],
  [
    /^42501/,
    (database, user) =>
      `allow the user to create tables: \`alter database ${database} owner to ${user}\`, or \`grant create on schema public to ${user}\` in it`,
  ],
  [
    /^53300/,
    () => 'raise max_connections of the server, or end other connections (docs/guides/operate.md, "Database")',
  ],
  [/ENOTFOUND|EAI_AGAIN/, () => 'correct the host in DATABASE_URL: this machine cannot resolve it'],
  [/ECONNREFUSED/, () => 'start PostgreSQL, or correct host and port: check DATABASE_URL'],
]
const FIX_POSTGRES =
  'check DATABASE_URL: host, port, user, password and database name; the user must be able to create and write tables'

function postgresFix(reason: string, url: string): string {
  const { pathname, username } = new URL(serverAddress(url)?.urls[0] ?? url)
  const [, fix] = POSTGRES_FIXES.find(([code]) => code.test(reason)) ?? []
  return fix?.(decodeURIComponent(pathname.slice(1)), decodeURIComponent(username)) ?? tlsFix(reason) ?? FIX_POSTGRES
}

/** Errors that say themselves what to do. */
const WITH_FIX = [DatabaseFileError, ForeignLogError, NewerSchemaError, NoSessionsError]
type ErrorWithFix = InstanceType<(typeof WITH_FIX)[number]>

const hasFix = (error: unknown): error is ErrorWithFix => WITH_FIX.some((kind) => error instanceof kind)
const toFix = ({ message, fix }: ErrorWithFix): Finding => fault('database', message, fix)

function absent(path: string): Finding {
  const folder = nearestFolder(resolve(path))
  if (!statSync(folder).isDirectory()) return toFix(new DatabaseFileError(path, 'ENOTDIR'))
  try {
    accessSync(folder, constants.W_OK)
    return note('database', `${path} does not exist yet: the first start creates it`)
  } catch {
    return fault(
      'database',
      `${path} cannot be created: ${folder} is not writable`,
      'allow the user who runs the cashier to write to it',
    )
  }
}

/** Checks that the database opens, accepts a write (rolled back at once), and has all migrations of this build. */
export async function checkDatabase(url: string): Promise<readonly Finding[]> {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : null
  try {
    const probe = await probeDatabase(url)
    if (probe.state === 'absent') return [absent(path ?? '')]
    const found = [ok('database', `${probe.version} answers and accepts writes`)]
    if (probe.state === 'empty')
      return [...found, note('database', 'it has no tables of the cashier yet: the first start creates them')]
    const { pending } = probe
    if (pending.length === 0) return [...found, ok('database', 'all migrations have run')]
    return [...found, note('database', `the next start runs migrations (${pending.join(', ')}): back up first`)]
  } catch (error) {
    if (hasFix(error)) return [toFix(error)]
    const reason = reasonOf(error)
    const fix =
      path === null
        ? postgresFix(reason, url)
        : `allow the user who runs the cashier to read and write ${path} and its folder`
    return [fault('database', reason, fix)]
  }
}
