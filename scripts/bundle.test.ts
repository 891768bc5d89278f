import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyPart, OPERATOR_MODULES, withDependencies } from './bundle.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the types of the script for merchants are in the bundle', () => {
  copyPart(folder, 'public')
  expect(existsSync(join(folder, 'public/embed.d.ts'))).toBe(true)
})

test('the types of a package are not', () => {
  const from = 'node_modules/standardwebhooks'
  expect(globSync(`${from}/**/*.d.ts`)).not.toEqual([])
  copyPart(folder, from)
  expect(existsSync(join(folder, from, 'package.json'))).toBe(true)
  expect(globSync('**/*.d.ts', { cwd: folder })).toEqual([])
})

test('every command of an operator is a script', () => {
  expect(OPERATOR_MODULES.filter((path) => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([])
  expect(OPERATOR_MODULES).toEqual(expect.arrayContaining(['server.ts', 'scripts/doctor.ts', 'scripts/health.ts']))
  expect(OPERATOR_MODULES.filter((path) => /demo|sandbox/.test(path))).toEqual([])
})

test('a package comes with what it needs, also with a version of its own in its folder', () => {
  const names = [...withDependencies(['@simplewebauthn/server'])]
  expect(names).toEqual(
    expect.arrayContaining(['@simplewebauthn/server', '@peculiar/x509', 'tsyringe', 'reflect-metadata']),
  )
  expect(names.filter((name) => name.includes('node_modules') || name.startsWith('..'))).toEqual([])
  const ownVersion = 'node_modules/tsyringe/node_modules/tslib'
  expect(existsSync(ownVersion)).toBe(true)
  copyPart(folder, 'node_modules/tsyringe')
  expect(existsSync(join(folder, ownVersion, 'package.json'))).toBe(true)
})
