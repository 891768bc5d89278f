/** Finds processes that a run has left behind, by a mark in their environment (Linux only; nothing elsewhere). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Leftover {
  readonly pid: number
  readonly command: string
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return ''
  }
}

/** @param mark `NAME=value` as it stands in the environment of everything that the run started */
export function leftovers(mark: string): readonly Leftover[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
}

/** Sends it a signal; one that has ended meanwhile is none the worse. */
export function tell({ pid }: Leftover, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
