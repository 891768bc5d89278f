/** A folder for the temporary files of a test run: in memory if there is enough, else on the disk. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm'
/** Four times the space that a whole run needs. */
const ENOUGH_BYTES = 4 * 1024 ** 3

export interface ScratchFolder {
  /** The value for `TMPDIR`. */
  readonly path: string
  remove(): void
}

const newFolder = (parent: string): string => mkdtempSync(join(parent, 'cashier-run-'))
const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true })

function isEnough(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES
}

/** Containers often mount it with `noexec`, but the tests run copies of PostgreSQL and Node from it. */
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

/** @param memory a folder that may be a file system in memory */
export function newScratchFolder(memory = MEMORY): ScratchFolder {
  const path = newFolder(isUsable(memory) ? memory : tmpdir())
  // PostgreSQL runs as another user, and must reach its own folder inside.
  chmodSync(path, 0o711)
  return { path, remove: () => removeFolder(path) }
}
