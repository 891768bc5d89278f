import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildIsFresh } from './build-age.ts'
import { COPIES } from './without-types.mjs'

let root = ''
const put = (path: string, at: number): void => {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, at, at)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-age-'))
  put('lib/contract/money.ts', 1000)
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) put(file, 1000)
  for (const result of ['.next/BUILD_ID', 'public/embed.js', 'public/embed/v1.js', COPIES]) put(result, 2000)
})
afterEach(() => rmSync(root, { recursive: true }))

test('a build that is newer than its sources is fresh', () => {
  expect(buildIsFresh(root)).toBe(true)
})

test('a changed source makes the build stale, a changed test does not', () => {
  put('lib/contract/money.test.ts', 3000)
  expect(buildIsFresh(root)).toBe(true)
  put('lib/contract/money.ts', 3000)
  expect(buildIsFresh(root)).toBe(false)
})

test.each(['package.json', 'package-lock.json', 'tsconfig.json'])('a changed %s makes the build stale', (file) => {
  put(file, 3000)
  expect(buildIsFresh(root)).toBe(false)
})

test('a missing output makes the build stale', () => {
  rmSync(join(root, 'public/embed.js'))
  expect(buildIsFresh(root)).toBe(false)
})
