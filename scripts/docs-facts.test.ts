import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import nextConfig from '../next.config.mjs'
import { namesIn, rowsOf, withoutCode } from './read-markdown.ts'

test('docs/reference/metrics.md has every metric that the source registers, and no other', () => {
  const source = readFileSync('lib/server/runtime/metrics.ts', 'utf8')
  const registered = Array.from(source.matchAll(/name: '(cashier_\w+)'/g), ([, name = '']) => name)
  const documented = rowsOf(readFileSync('docs/reference/metrics.md', 'utf8')).map(([first = '']) =>
    namesIn(first)[0]?.replace(/\{.*/, ''),
  )
  expect(documented.toSorted()).toEqual(registered.toSorted())
  expect(documented.length).toBeGreaterThan(15)
})

test('every path in the tables and lists of docs/explanation/architecture.md exists', () => {
  const cells = rowsOf(withoutCode(readFileSync('docs/explanation/architecture.md', 'utf8'))).flat()
  const paths = cells.flatMap(namesIn).filter((name) => /^[\w.[\]*{},/-]+$/.test(name) && /\/|\.\w+$/.test(name))
  expect(paths.filter((path) => !existsSync(path) && globSync(path).length === 0)).toEqual([])
  expect(paths.length).toBeGreaterThan(20)
})

test('every package of serverExternalPackages is installed', () => {
  const left = nextConfig.serverExternalPackages ?? []
  expect(left.filter((name) => !existsSync(`node_modules/${name}/package.json`))).toEqual([])
  expect(left.length).toBeGreaterThan(3)
})

test('each part of the glossary is in alphabetical order, without repetitions', () => {
  const parts = readFileSync('docs/internal/glossary.md', 'utf8').split('\n## ').slice(1)
  const terms = parts.map((part) => Array.from(part.matchAll(/^- \*\*(.+?)\*\*: /gm), ([, term = '']) => term))
  const ordered = terms.map((part) => [...new Set(part)].toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(terms).toEqual(ordered)
  expect(terms.flat().length).toBeGreaterThan(20)
})

test('every path in docs/internal/gateway-assumptions.md exists', () => {
  const text = readFileSync('docs/internal/gateway-assumptions.md', 'utf8')
  const paths = Array.from(text.matchAll(/[(,] ?`([\w./-]+\/[\w./-]*)`(?=[),])/g), ([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(path) && !existsSync(`lib/server/${path}`))).toEqual([])
  expect(paths.length).toBeGreaterThan(20)
})
