import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import nextConfig from '../next.config.mjs'
import { namesIn, rowsOf, rowsUnder, withoutCode } from './read-markdown.ts'

/** `name{label,label}`, as the table has it. */
function registeredMetrics(): readonly string[] {
  const source = readFileSync('lib/server/runtime/metrics.ts', 'utf8')
  return Array.from(source.matchAll(/name: '(cashier_\w+)',([\s\S]*?)registers/g), ([, name = '', rest = '']) => {
    const labels = Array.from(
      (/labelNames: \[([^\]]*)\]/.exec(rest)?.[1] ?? '').matchAll(/'(\w+)'/g),
      ([, label]) => label,
    )
    return labels.length === 0 ? name : `${name}{${labels.join(',')}}`
  })
}

test('the metrics of docs/operating.md are those that are registered', () => {
  const documented = rowsUnder(readFileSync('docs/operating.md', 'utf8'), 'Health and metrics')
    .flatMap(([first = '']) => namesIn(first))
    .filter((name) => name.startsWith('cashier_'))
  expect(documented.toSorted()).toEqual(registeredMetrics().toSorted())
  expect(documented.length).toBeGreaterThan(5)
})

test('every path in the tables of docs/explanation/architecture.md exists', () => {
  const cells = rowsOf(withoutCode(readFileSync('docs/explanation/architecture.md', 'utf8'))).flat()
  const paths = cells.flatMap(namesIn).filter((name) => /^[\w.[\]*{},/-]+$/.test(name) && /\/|\.\w+$/.test(name))
  expect(paths.filter((path) => !existsSync(path) && globSync(path).length === 0)).toEqual([])
  expect(paths.length).toBeGreaterThan(30)
})

test('every package that Next leaves to Node is installed', () => {
  const left = nextConfig.serverExternalPackages ?? []
  expect(left.filter((name) => !existsSync(`node_modules/${name}/package.json`))).toEqual([])
  expect(left.length).toBeGreaterThan(3)
})

test('the glossary has each term once in its part, in the order of the alphabet', () => {
  const parts = readFileSync('docs/internal/glossary.md', 'utf8').split('\n## ').slice(1)
  const terms = parts.map((part) => Array.from(part.matchAll(/^- \*\*(.+?)\*\*: /gm), ([, term = '']) => term))
  const ordered = terms.map((part) => [...new Set(part)].toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(terms).toEqual(ordered)
  expect(terms.flat().length).toBeGreaterThan(60)
})

test('every path in docs/gateway-assumptions.md exists', () => {
  const rows = rowsOf(readFileSync('docs/gateway-assumptions.md', 'utf8'))
  const paths = rows.flatMap(([, , where = '']) => namesIn(where)).filter((name) => name.includes('/'))
  expect(paths.filter((path) => !existsSync(path) && !existsSync(`lib/server/${path}`))).toEqual([])
  expect(paths.length).toBeGreaterThan(20)
})
