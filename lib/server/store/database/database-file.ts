import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const ALLOWED = 'DATABASE_URL must be file: and the path of a file in a folder that this user may write'

/** By the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EEXIST: 'one of its folders is a file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'one of its folders is a file',
  EPERM: 'this user may not write there',
  EROFS: 'that disk is read-only',
}

/** The path of a SQLite file that can be neither created nor opened. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError'
  /** What a person can do. */
  readonly fix = 'correct DATABASE_URL, or let this user write there'

  /** @param code the system's, such as `ENOTDIR` */
  constructor(path: string, code: string) {
    super(`${path} cannot be written: ${REASONS[code] ?? code}. ${ALLOWED}`)
  }
}

/**
 * Only this user can read a new file. Existing files and folders keep their modes; SQLite gives the log the file's.
 * @throws DatabaseFileError
 */
export function createPrivateFile(path: string): void {
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
    throw new DatabaseFileError(path, error.code)
  }
}
