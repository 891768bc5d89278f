/** Finds processes that outlived the test run which started them, by an environment variable (Linux only). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Orphan {
  readonly pid: number
  readonly command: string
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return ''
  }
}

/** @param mark `NAME=value`, a variable of all processes of the run @returns an empty list on systems without /proc */
export function findOrphans(mark: string): readonly Orphan[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
}

/** Sends a signal; does nothing if the process has ended meanwhile. */
export function signalOrphan({ pid }: Orphan, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
