import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, headingsOf, withoutCode } from './read-markdown.ts'

const documents = [...globSync('*.md'), ...globSync('{docs,bench,examples,packages,sandbox}/**/*.md')].filter(
  (file) => !file.includes('node_modules'),
)
const textOf = (file: string): string => readFileSync(file, 'utf8')

test('every relative link leads to a file, and every anchor to a heading', () => {
  const broken: string[] = []
  let links = 0
  for (const file of documents) {
    const text = withoutCode(textOf(file)).replaceAll(/`[^`\n]*`/g, '')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)<?([^)>\s]+)>?[^)]*\)/g)) {
      links += 1
      const [path = '', anchor] = target.split('#')
      const to = path === '' ? file : normalize(join(dirname(file), decodeURI(path)))
      if (!existsSync(to)) broken.push(`${file}: ${target}`)
      else if (anchor !== undefined && to.endsWith('.md') && !anchorsOf(textOf(to)).has(anchor))
        broken.push(`${file}: ${target}`)
    }
  }
  expect(broken).toEqual([])
  expect(links).toBeGreaterThan(60)
})

const CODE = '{app,bench,components,e2e,examples,lib,packages,sandbox,scripts,simulation}/**/*.{ts,tsx,mts,mjs,js,css}'
const sources = [...globSync('*.{ts,mjs}'), ...globSync(CODE)].filter(
  (file) => !/(^|[\\/])(node_modules|\.next)[\\/]/.test(file) && !file.endsWith('docs-links.test.ts'),
)

/** The source without line breaks in comments, so that a citation over two lines is found. */
const flowing = (source: string): string => source.replaceAll(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
const plain = (text: string): string => text.replaceAll('`', '')

test('every heading that the code cites exists', () => {
  const broken: string[] = []
  let citations = 0
  for (const file of sources) {
    for (const [, document = '', heading = ''] of flowing(textOf(file)).matchAll(/(docs\/[\w/-]+\.md), "([^"]+)"/g)) {
      citations += 1
      const headings = existsSync(document) ? headingsOf(textOf(document)).map(plain) : []
      if (!headings.includes(plain(heading))) broken.push(`${file}: ${document}, "${heading}"`)
    }
  }
  expect(broken).toEqual([])
  expect(citations).toBeGreaterThan(30)
})

test('nothing cites documents outside the repository', () => {
  const found = [...sources, ...documents].filter((file) =>
    /\bcontract\s+section\b|\(contract:|\bspec: "/i.test(flowing(textOf(file))),
  )
  expect(found).toEqual([])
  expect(sources.length).toBeGreaterThan(300)
})
