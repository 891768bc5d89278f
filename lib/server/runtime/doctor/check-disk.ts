import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fault, note, ok, type Finding } from './finding.ts'

const MB = 1_000_000
/** Below it SQLite's log may not fit any more while very many webhooks come. */
const LEAST_BYTES = 256 * MB

const inMB = (bytes: number): string => `${Math.floor(bytes / MB)} MB`
const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

/** The nearest folder above a path that exists. */
export function nearestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : nearestFolder(folder)
}

/** Bytes that a user without privileges may still write there. */
function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** The disk of a SQLite file. That of a PostgreSQL server cannot be seen from here. */
export function checkDisk(url: string, freeBytes: (folder: string) => number = freeBytesOf): readonly Finding[] {
  if (!url.startsWith('file:')) return []
  const path = resolve(url.slice('file:'.length))
  const free = freeBytes(nearestFolder(path))
  const used = sizeOf(path) + sizeOf(`${path}-wal`)
  const message = `${inMB(free)} are free beside ${path}`
  if (free < LEAST_BYTES)
    return [
      fault('disk', message, `free some: without space nothing can be stored. Keep ${inMB(LEAST_BYTES)} at least`),
    ]
  if (free < used)
    return [note('disk', `${message}, which has ${inMB(used)}: too little for a backup there, or for some upgrades`)]
  return [ok('disk', message)]
}
