import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readVersion } from '#lib/server/runtime/version.ts'
import { commitOf, writeCommit } from './build-commit.ts'

let folder = ''
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-commit-'))
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the commit is that of git, with a mark if a file has changed', () => {
  git('init', '--quiet')
  expect(commitOf(folder, '')).toBeNull()
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  git('tag', 'v1.2.3')
  const head = git('rev-parse', 'HEAD')
  expect(commitOf(folder, '')).toBe(head)
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.4"}')
  expect(commitOf(folder, '')).toBe(`${head}-dirty`)
})

test('sources without git have the given commit, and ignore a repository in a parent folder', () => {
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  expect(commitOf(inner, '')).toBeNull()
  expect(commitOf(inner, 'c0ffee')).toBe('c0ffee')
})

test('a build without a commit does not keep the commit of the previous build', () => {
  writeCommit(folder, 'c0ffee')
  expect(readVersion(folder)).toEqual({ version: '1.2.3', commit: 'c0ffee' })
  writeCommit(folder, null)
  expect(readVersion(folder)).toEqual({ version: '1.2.3' })
})
