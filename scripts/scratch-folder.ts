/** A folder for the temporary files of a test run: in memory where there is enough of it, else on the disk. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
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

const newFolder = (parent: string): string => mkdtempSync(join(parent, 'cashier-run-'))
const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true })

function isEnough(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES
}

/** Containers often mount it so that no program in it may be run, as copies of PostgreSQL's and Node's are. */
function mayRunPrograms(parent: string): boolean {
  const folder = newFolder(parent)
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program, { stdio: 'ignore' })
    return true
  } finally {
    removeFolder(folder)
  }
}

function isUsable(folder: string): boolean {
  try {
    return isEnough(folder) && mayRunPrograms(folder)
  } catch {
    return false
  }
}

/** @param memory where a file system in memory may be */
export function newScratchFolder(memory = MEMORY): ScratchFolder {
  const path = newFolder(isUsable(memory) ? memory : tmpdir())
  // PostgreSQL runs as another user, and must get to its folder.
  chmodSync(path, 0o711)
  return { path, remove: () => removeFolder(path) }
}
