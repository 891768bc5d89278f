import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { probeDatabase } from '../../store/probe.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'

const FIX_POSTGRES =
  'check DATABASE_URL: host, port, user, password and database name; the user must be able to create and write tables'

/** The nearest folder above a path that exists. */
function nearestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : nearestFolder(folder)
}

function absent(path: string): Finding {
  const folder = nearestFolder(resolve(path))
  try {
    accessSync(folder, constants.W_OK)
    return note('database', `${path} does not exist yet: the first start creates it`)
  } catch {
    return fault(
      'database',
      `${path} cannot be created: ${folder} is not writable`,
      'allow the user who runs the cashier to write there',
    )
  }
}

/** Whether the database opens, accepts a write (rolled back at once), and has all migrations of this build. */
export async function checkDatabase(url: string): Promise<readonly Finding[]> {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : null
  try {
    const probe = await probeDatabase(url)
    if (probe.state === 'absent') return [absent(path ?? '')]
    const { version, pending } = probe
    const found = [ok('database', `${version} answers and accepts writes`)]
    if (pending.length === 0) return [...found, ok('database', 'all migrations have run')]
    return [...found, note('database', `the next start runs migrations (${pending.join(', ')}): back up first`)]
  } catch (error) {
    const fix =
      path === null ? FIX_POSTGRES : `allow the user who runs the cashier to read and write ${path} and its folder`
    return [fault('database', reasonOf(error), fix)]
  }
}
