import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

/** All pages in one step: by smaller ones a copy begins again after each write of the cashier. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Copies a SQLite database that may be in use into a new file, as it is at one moment; writers are not held up. The file
 * needs no log beside it, is for this user alone, and has its name only once it is complete.
 * @throws where a file of that name is there
 */
export async function backUpFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} exists already`)
  const partial = `${to}.partial`
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

/** What SQLite finds wrong with the pages and indexes of a file; empty where nothing is. */
export function damagesOf(file: string): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const found = db.prepare('pragma integrity_check').all()
    return found.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== 'ok')
  } finally {
    db.close()
  }
}
