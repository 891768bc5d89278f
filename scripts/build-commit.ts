/** What is built, for `lib/server/runtime/version.ts`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { COMMIT_FILE } from '#lib/server/runtime/version.ts'

/**
 * `CASHIER_COMMIT`, which an image's build is given because it has no `.git`; else what git says. Null where neither
 * knows it. `.git` is named, because git would look in the folders above too.
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

/** A build that does not know its commit does not keep that of the build before. */
export function writeCommit(folder: string, commit: string | null): void {
  const file = join(folder, COMMIT_FILE)
  rmSync(file, { force: true })
  if (commit === null) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${commit}\n`)
}
