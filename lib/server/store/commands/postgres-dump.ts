import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** As `pg_dump` writes it: an archive (`--format=custom`), or a script for `psql`. */
type DumpFormat = 'archive' | 'script'

/** The end of a script is a few lines long. */
const END_BYTES = 1000
/** Each table's data in an archive ends with a length of zero, and nothing comes after the last table's. */
const ARCHIVE_END = Buffer.alloc(5)

function read(path: string, from: (size: number) => number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(END_BYTES)
    return bytes.subarray(0, readSync(file, bytes, 0, END_BYTES, Math.max(0, from(statSync(path).size))))
  } finally {
    closeSync(file)
  }
}

/** The format of a dump of PostgreSQL; null for any other file. */
export function dumpFormat(path: string): DumpFormat | null {
  const start = read(path, () => 0).toString('latin1', 0, 200)
  if (start.startsWith('PGDMP')) return 'archive'
  return start.includes('PostgreSQL database dump') ? 'script' : null
}

/** Whether the file is a dump of PostgreSQL that lacks its end: it was cut off, or is still being written. */
export function isCutDump(path: string): boolean {
  const format = dumpFormat(path)
  if (format === null) return false
  const end = read(path, (size) => size - END_BYTES)
  return format === 'archive'
    ? !end.subarray(-ARCHIVE_END.length).equals(ARCHIVE_END)
    : !end.includes('PostgreSQL database dump complete')
}
