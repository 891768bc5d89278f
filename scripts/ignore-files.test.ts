/** A key that an operator makes in the clone (docs/guides/operate.md) gets neither into a commit nor into an image. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

const KEYS = ['merchant-private.pem', 'gateway.pem', 'ops/merchant-private.pem']
const TEST_KEYS = [
  'lib/server/gateway/vectors/localhost.test-only.key.pem',
  'sandbox/vectors/merchant.test-only.public.pem',
]

/** As Docker reads the file: a pattern matches the whole path, and the last match decides. */
function dockerIgnores(path: string): boolean {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const last = lines.findLast((line) => matchesGlob(path, line.replace(/^!/, '')))
  return last !== undefined && !last.startsWith('!')
}

test('Git ignores keys, and no tracked file', () => {
  expect(git('check-ignore', '--no-index', ...KEYS, '.env')).toEqual([...KEYS, '.env'])
  expect(git('ls-files', '--cached', '--ignored', '--exclude-standard')).toEqual([])
})

test('the build context of the image has no keys except those of the tests', () => {
  expect([...KEYS, '.env'].filter((path) => !dockerIgnores(path))).toEqual([])
  expect(TEST_KEYS.filter(dockerIgnores)).toEqual([])
})
