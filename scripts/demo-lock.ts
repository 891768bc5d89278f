import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Outside the demo's folder, which `--fresh` deletes. */
export const DEMO_LOCK = '.cache/demo-lock.db'

/**
 * Holds the lock of the demo's data until this process ends, whatever ends it: SQLite's locks belong to the process.
 * @returns false if another demo holds it
 */
export function lockDemo(file = DEMO_LOCK): boolean {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  try {
    database.exec('begin exclusive')
  } catch {
    database.close()
    return false
  }
  held.push(database)
  return true
}

/** A database that nobody refers to would be closed, and its lock released. */
const held: DatabaseSync[] = []
