/** A folder for the temporary files of a test run: in memory where there is enough of it, else on the disk. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps its files in memory. */
const MEMORY = '/dev/shm'
/** A whole run has less than a fourth of this at a time. */
const ENOUGH_BYTES = 4 * 1024 ** 3

export interface ScratchFolder {
  /** As `TMPDIR`. */
  readonly path: string
  remove(): void
}

function isEnough(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES
  } catch {
    return false
  }
}

/** @param memory where a file system in memory may be */
export function newScratchFolder(memory = MEMORY): ScratchFolder {
  const path = mkdtempSync(join(isEnough(memory) ? memory : tmpdir(), 'cashier-run-'))
  // PostgreSQL runs as another user, and must get to its folder.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
