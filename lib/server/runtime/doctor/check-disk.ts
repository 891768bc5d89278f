import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fault, note, ok, type Finding } from './finding.ts'

const MB = 1_000_000
/** Below this, SQLite's log may no longer fit during a flood of webhooks. */
const LEAST_BYTES = 256 * MB

const inMB = (bytes: number): string => `${Math.floor(bytes / MB)} MB`
const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

/** The nearest existing folder above a path. */
export function nearestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : nearestFolder(folder)
}

/** Bytes that an unprivileged user may still write in the folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Checks the disk of a SQLite file. The disk of a PostgreSQL server cannot be seen from here. */
export function checkDisk(url: string, freeBytes: (folder: string) => number = freeBytesOf): readonly Finding[] {
  if (!url.startsWith('file:')) return []
  const path = resolve(url.slice('file:'.length))
  const free = freeBytes(nearestFolder(path))
  const used = sizeOf(path) + sizeOf(`${path}-wal`)
  const message = `${inMB(free)} are free beside ${path}`
  if (free < LEAST_BYTES)
    return [
      fault(
        'disk',
        message,
        `free some space: on a full disk nothing can be stored. Keep at least ${inMB(LEAST_BYTES)}`,
      ),
    ]
  if (free < used)
    return [
      note('disk', `${message}, which has ${inMB(used)}: too little for a backup on this disk, or for some upgrades`),
    ]
  return [ok('disk', message)]
}
