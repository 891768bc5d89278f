import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** The log of a SQLite file that was replaced lies beside its successor. SQLite would apply it. */
export class ForeignLogError extends Error {
  override readonly name = 'ForeignLogError'
  /** What a person can do. */
  readonly fix: string

  constructor(path: string) {
    super(`${path} is a backup, and ${path}-wal is the log of the file that it replaced: delete the log`)
    this.fix = `delete ${path}-wal and ${path}-shm`
  }
}

/** Where the header of a SQLite file says how it is written, and what it says of a file that has no log. */
const WRITTEN_AT = 18
const WITHOUT_LOG = 1

/** 0 for an empty file. */
function writtenBy(path: string): number {
  const value = Buffer.alloc(1)
  const file = openSync(path, 'r')
  readSync(file, value, 0, 1, WRITTEN_AT)
  closeSync(file)
  return value.readUInt8()
}

/**
 * A backup (`commands/backup.ts`) has no log. A process that was killed leaves its log, and SQLite would take it for the
 * log of a backup that is copied to its place: some pages of one, some of the other.
 * @throws ForeignLogError
 */
export function refuseForeignLog(path: string): void {
  // In this order: the header changes before a log is begun.
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined && log.size > 0 && writtenBy(path) === WITHOUT_LOG) throw new ForeignLogError(path)
}
