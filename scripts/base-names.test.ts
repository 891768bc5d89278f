/** A file's name leads to one file: no name occurs twice in the page's folders. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('{components,lib/browser}/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !path.includes('.test.'),
)

test('no two files of the page have the same name', () => {
  const byName = Map.groupBy(files, (path) => basename(path).replace(/\.tsx?$/, ''))
  const shared = [...byName.values()].filter((paths) => paths.length > 1)
  expect(files.length).toBeGreaterThan(50)
  expect(shared).toEqual([])
})
