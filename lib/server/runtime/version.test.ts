import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMMIT_FILE, readVersion, versionText } from './version.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'version-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"cashier","version":"1.2.3"}')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the version has the commit if the build has written it', () => {
  expect(readVersion(folder)).toEqual({ version: '1.2.3' })
  mkdirSync(join(folder, '.next'))
  writeFileSync(join(folder, COMMIT_FILE), 'c0ffee\n')
  expect(readVersion(folder)).toEqual({ version: '1.2.3', commit: 'c0ffee' })
})

test('a package.json without a version is a fault', () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"cashier"}')
  expect(() => readVersion(folder)).toThrow()
})

test('the text for people has both in one line', () => {
  expect(versionText({ version: '1.2.3' })).toBe('1.2.3')
  expect(versionText({ version: '1.2.3', commit: 'c0ffee' })).toBe('1.2.3, commit c0ffee')
})
