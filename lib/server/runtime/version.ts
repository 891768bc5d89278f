/** The version of this cashier, for the log's first line, readiness, metrics and the doctor. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

export interface Version {
  readonly version: string
  /** The built commit, with `-dirty` if files had changed. Absent if the build did not know it. */
  readonly commit?: string
}

/** Written by `npm run build`; a bundle has it too. */
export const COMMIT_FILE = '.next/COMMIT'

const PROJECT = resolve(import.meta.dirname, '../../..')
const manifest = z.object({ version: z.string().min(1) })

function readCommit(folder: string): string | null {
  try {
    return readFileSync(join(folder, COMMIT_FILE), 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** @param folder of the sources or the bundle */
export function readVersion(folder = PROJECT): Version {
  const { version } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const commit = readCommit(folder)
  return commit === null ? { version } : { version, commit }
}

/** The version as a line for a terminal. */
export const versionText = ({ version, commit }: Version): string =>
  commit === undefined ? version : `${version}, commit ${commit}`
