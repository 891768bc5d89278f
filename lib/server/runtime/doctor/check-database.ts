import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { probeDatabase } from '../../store/probe.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'

const MEND_POSTGRES =
  'check DATABASE_URL: host, port, user, password and database name; the user needs to create and write tables'

/** The nearest folder above a path that is there. */
function nearestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : nearestFolder(folder)
}

function absent(path: string): Finding {
  const folder = nearestFolder(resolve(path))
  try {
    accessSync(folder, constants.W_OK)
    return note('database', `${path} is not there yet: the first start makes it`)
  } catch {
    return fault(
      'database',
      `${path} cannot be made: ${folder} may not be written`,
      'let the user who runs the cashier write there',
    )
  }
}

/** The database opens, takes a write (undone at once), and is as new as this build. */
export async function checkDatabase(url: string): Promise<readonly Finding[]> {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : null
  try {
    const probe = await probeDatabase(url)
    if (probe.state === 'absent') return [absent(path ?? '')]
    const { version, pending } = probe
    const found = [ok('database', `${version} answers and takes writes`)]
    if (pending.length === 0) return [...found, ok('database', 'all migrations have run')]
    return [...found, note('database', `the next start runs migrations (${pending.join(', ')}): make a backup first`)]
  } catch (error) {
    const mend =
      path === null ? MEND_POSTGRES : `let the user who runs the cashier read and write ${path} and its folder`
    return [fault('database', reasonOf(error), mend)]
  }
}
