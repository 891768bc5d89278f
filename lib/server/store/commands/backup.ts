import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

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

function faultsIn(file: string | URL, check: 'integrity_check' | 'quick_check'): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const found = db.prepare(`pragma ${check}`).all()
    return found.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== 'ok')
  } finally {
    db.close()
  }
}

/** The faults that SQLite finds in the pages and indexes of a file; empty if there are none. */
export const damagesOf = (file: string): readonly string[] => faultsIn(file, 'integrity_check')

const SQLITE = 'SQLite format 3\0'

function isSqlite(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(SQLITE.length)
    readSync(file, start)
    return start.equals(Buffer.from(SQLITE))
  } finally {
    closeSync(file)
  }
}

/** A larger file is not read: it takes long. */
const MOST_BYTES = 500_000_000

/**
 * The first fault in the pages of a SQLite file, without a comparison of its indexes; null if there is none, if it is no
 * SQLite file, and for one that is large or has a log beside it. It writes nothing beside the file.
 */
export function quickDamageOf(path: string): string | null {
  if (existsSync(`${path}-wal`) || statSync(path).size > MOST_BYTES || !isSqlite(path)) return null
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  try {
    return faultsIn(url, 'quick_check')[0] ?? null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
