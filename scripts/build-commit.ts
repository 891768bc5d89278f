/** Writes the commit of a build, for `lib/server/runtime/version.ts`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMMIT_FILE } from '#lib/server/runtime/version.ts'

/**
 * `CASHIER_COMMIT`, which the build of an image gets because it has no `.git`; else the commit that git reports, else
 * null. `.git` is passed to git, which would also search the parent folders.
 */
export function commitOf(folder: string, given = process.env['CASHIER_COMMIT']?.trim() ?? ''): string | null {
  if (given !== '') return given
  if (!existsSync(join(folder, '.git'))) return null
  const args = ['--git-dir=.git', 'describe', '--always', '--abbrev=40', '--dirty', '--exclude=*']
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    // No git on this machine, or no commit yet.
    return null
  }
}

/** A build without a known commit removes the commit of the previous build. */
export function writeCommit(folder: string, commit: string | null): void {
  const file = join(folder, COMMIT_FILE)
  rmSync(file, { force: true })
  if (commit === null) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${commit}\n`)
}
