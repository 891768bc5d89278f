/** A key that docs/guides/operate.md lets an operator make in the clone gets neither into a commit nor into an image. */
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

/** As Docker reads the file: a pattern is of the whole path, and the last one that fits decides. */
function dockerIgnores(path: string): boolean {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const last = lines.findLast((line) => matchesGlob(path, line.replace(/^!/, '')))
  return last !== undefined && !last.startsWith('!')
}

test('Git ignores keys, and of what it tracks nothing', () => {
  expect(git('check-ignore', '--no-index', ...KEYS, '.env')).toEqual([...KEYS, '.env'])
  expect(git('ls-files', '--cached', '--ignored', '--exclude-standard')).toEqual([])
})

test('the context of the image has no key but those of the tests', () => {
  expect([...KEYS, '.env'].filter((path) => !dockerIgnores(path))).toEqual([])
  expect(TEST_KEYS.filter(dockerIgnores)).toEqual([])
})
