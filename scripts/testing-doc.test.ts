import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namesIn, rowsUnder } from './read-markdown.ts'

const sources = globSync(['{app,components}/**/*.tsx', 'lib/server/runtime/static-pages/*-pages.ts'])
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Ids in the code: literals, the two choices of a paging link, defaults, and ids in documents without a framework. */
const inCode = new Set([
  ...[...sources.matchAll(/(?:data-testid|testId)=(?:"[a-z-]+"|\{side === 'after' \? '[a-z]+' : '[a-z]+'\})/g)].flatMap(
    ([written]) => (written.includes('?') ? ['older', 'newer'] : [written.split('"')[1] ?? '']),
  ),
  ...[...sources.matchAll(/testId = '([a-z-]+)'/g)].map(([, id = '']) => id),
  ...[...sources.matchAll(/testId: (.*),/g)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/'([a-z-]+)'/g)].map(([, id]) => id),
  ),
])

const inDocs = new Set(
  rowsUnder(readFileSync('docs/guides/test.md', 'utf8'), 'Test ids')
    .flatMap(([ids = '']) => namesIn(ids))
    .filter((id) => /^[a-z-]+$/.test(id)),
)

test('the documented test ids match the code', () => {
  expect([...inDocs].sort()).toEqual([...inCode].sort())
  expect(inCode.size).toBeGreaterThan(20)
})
