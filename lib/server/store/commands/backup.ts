import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

/** How the file of a backup is called that is not complete: one that was killed leaves it. */
export const PARTIAL = '.partial'

/** All pages in one step: a copy in smaller steps starts again after each write of the cashier. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Copies a SQLite database that may be in use into a new file, in the state of one moment; writers do not wait. The
 * file is complete without a log beside it, only this user can read it, and it gets its name when it is complete.
 * @throws if a file of that name exists
 */
export async function backUpFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} already exists`)
  const partial = `${to}${PARTIAL}`
  rmSync(partial, { force: true })
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    const source = new DatabaseSync(from, { readOnly: true })
    try {
      await backup(source, partial, { rate: ALL_PAGES })
    } finally {
      source.close()
    }
    const copy = new DatabaseSync(partial)
    copy.exec('pragma journal_mode = delete')
    copy.close()
    renameSync(partial, to)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** The faults that SQLite finds in the pages and indexes of a file; empty if there are none. */
export function damagesOf(file: string): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const found = db.prepare('pragma integrity_check').all()
    return found.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== 'ok')
  } finally {
    db.close()
  }
}
