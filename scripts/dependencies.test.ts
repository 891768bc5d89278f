import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findAffected,
  hasAllowedLicence,
  isBelow,
  noticeLines,
  readAdvisories,
  readDependencies,
  unnamedScripts,
  type Dependency,
} from './dependencies.ts'
import { licenceTexts } from './notices.ts'

const root = join(import.meta.dirname, '..')
const dependencies = readDependencies()
const shipped = dependencies.filter(({ dev }) => !dev)

test('package.json names every package with an install script', () => {
  expect(dependencies.filter(({ hasInstallScript }) => hasInstallScript).length).toBeGreaterThan(0)
  expect(unnamedScripts(dependencies)).toEqual([])
  const [one] = dependencies
  expect(unnamedScripts([{ ...(one as Dependency), name: 'surprise', hasInstallScript: true }])).toEqual(['surprise'])
})

test('no package is deprecated', () => {
  expect(dependencies.filter(({ deprecated }) => deprecated !== null).map(({ name }) => name)).toEqual([])
})

test('the list of advisories names only packages that we use', () => {
  const names = new Set(dependencies.map(({ name }) => name))
  expect(readAdvisories().advisories.filter((one) => !names.has(one.package))).toEqual([])
})

test('no known advisory affects a package', () => {
  const { advisories } = readAdvisories()
  expect(advisories.length).toBeGreaterThan(10)
  expect(findAffected(dependencies, advisories)).toEqual([])
})

test('an advisory affects versions below the fixed version', () => {
  const next = { name: 'next', version: '16.0.6' } as Dependency
  const advisory = { package: 'next', id: 'x', below: '16.0.7', what: 'y' }
  expect(findAffected([next], [advisory])).toHaveLength(1)
  expect(findAffected([{ ...next, version: '16.0.7' }], [advisory])).toEqual([])
  expect(['15.9.9', '16.0.6', '0.9.0'].map((version) => isBelow(version, '16.0.7'))).toEqual([true, true, true])
  expect(['16.0.7', '16.0.10', '16.1.0', '17.0.0'].map((version) => isBelow(version, '16.0.7'))).not.toContain(true)
})

test('every shipped package has an allowed licence', () => {
  expect(shipped.length).toBeGreaterThan(50)
  expect(shipped.filter((one) => !hasAllowedLicence(one)).map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})

test('THIRD_PARTY_NOTICES names every shipped package and has each licence text; `npm run audit:deps -- --write` updates it', () => {
  const text = readFileSync(join(root, 'THIRD_PARTY_NOTICES'), 'utf8')
  const [head = ''] = text.split('\n\n---\n', 1)
  const lines = head.split('\n').filter((line) => /^\S+ \d+\.\d+\.\d+\S* \(/.test(line))
  expect(lines).toEqual(noticeLines(dependencies))
  // The machine that wrote the notices may have packages of another platform, so each text is searched separately.
  const texts = licenceTexts(dependencies)
  expect(Array.from(texts).filter(([one]) => !text.includes(`\n\n${one}\n`))).toEqual([])
  const named = new Set([...texts.values()].flat())
  for (const name of ['next', 'node', 'pg', 'pino', 'react', 'zod'])
    expect([...named].some((one) => one.startsWith(`${name} `))).toBe(true)
})
