import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PARTIAL, quickDamageOf } from '../../store/commands/backup.ts'
import { isCutDump } from '../../store/commands/postgres-dump.ts'
import { fault, ok, reasonOf, type Finding } from './finding.ts'

const HOUR_MS = 3_600_000

export interface CheckBackupOptions {
  /** A backup, or the folder of the backups. */
  readonly path: string
  readonly maxHours: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

interface BackupFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

function fileAt(path: string): BackupFile {
  const { size, mtimeMs } = statSync(path)
  return { path, size, mtimeMs }
}

/**
 * The newest backup of a folder, and the newer files that are none; or the file itself. A dump without its end was cut
 * off, such as on a full disk. A backup shrinks little: what is less than half as large as another file was cut off,
 * too, or is none, such as the log of the job that makes them.
 */
function newest(path: string): { readonly last: BackupFile | undefined; readonly others: readonly BackupFile[] } {
  if (!statSync(path).isDirectory()) return { last: fileAt(path), others: [] }
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(PARTIAL))
    .map(({ name }) => fileAt(join(path, name)))
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
  const largest = Math.max(...files.map(({ size }) => size))
  const at = files.findIndex((file) => file.size >= largest / 2 && !isCutDump(file.path))
  return { last: files[at], others: at < 0 ? files : files.slice(0, at) }
}

/**
 * Checks the age of the last backup by the time of its file, and the pages of a SQLite file that is not large. `npm run
 * restore-check` checks that it can be restored.
 */
export function checkBackup({ path, maxHours, nowMs }: CheckBackupOptions): readonly Finding[] {
  const fix = 'make one (docs/guides/back-up.md, "Make a backup and try it"), and find out why the backup job did not'
  let found: ReturnType<typeof newest>
  try {
    found = newest(path)
  } catch (error) {
    return [fault('backup', reasonOf(error), 'correct --backup, or allow this user to read it')]
  }
  const { last, others } = found
  const names = others.map((file) => file.path).join(', ')
  const ignored =
    names === '' ? '' : `; newer files that are cut off, or less than half as large as another, do not count: ${names}`
  if (last === undefined) return [fault('backup', `there is no backup in ${path}${ignored}`, fix)]
  const hours = Math.max(0, Math.floor((nowMs - last.mtimeMs) / HOUR_MS))
  const message = `the last one is ${hours} h old: ${last.path}${ignored}`
  if (last.size === 0) return [fault('backup', `${last.path} is empty`, fix)]
  if (isCutDump(last.path)) return [fault('backup', `${last.path} is cut off`, fix)]
  const damage = quickDamageOf(last.path)
  if (damage !== null) return [fault('backup', `${last.path} is damaged: ${damage}`, fix)]
  return hours >= maxHours ? [fault('backup', `${message}; the limit is ${maxHours} h`, fix)] : [ok('backup', message)]
}
