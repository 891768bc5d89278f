import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backendCode } from './backend-code.ts'
import { makeSite } from './make-site.ts'
import { readNavigation } from './navigation.ts'
import { plainText, renderMarkdown } from './render-markdown.ts'
import type { SearchEntry } from './search-entries.ts'
import { markdownFiles, placeOf } from './site-files.ts'

const top = mkdtempSync(join(tmpdir(), 'cashier-docs-'))
let folder = ''
beforeAll(async () => {
  await makeSite(top, '0.9.0')
  folder = (await makeSite(top, '3.0.0-rc')).folder
}, 120_000)
afterAll(() => rmSync(top, { recursive: true, force: true }))

const read = (place: string): string => readFileSync(join(folder, place), 'utf8')
const htmlFiles = (): readonly string[] => globSync('**/*.html', { cwd: folder })
const all = (text: string, pattern: RegExp): readonly string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found)

/** The ids of a page, read once. */
const idsOf = new Map<string, ReadonlySet<string>>()
function hasId(file: string, id: string): boolean {
  const known = idsOf.get(file) ?? new Set(all(readFileSync(file, 'utf8'), /\sid="([^"]+)"/g))
  idsOf.set(file, known)
  return known.has(id)
}

test('every internal link leads to a page, and every anchor to a heading', () => {
  const broken: string[] = []
  let links = 0
  for (const page of htmlFiles())
    for (const href of all(read(page), /\s(?:href|src|srcset)="([^"]+)"/g)) {
      if (/^(?:https?:|mailto:)/.test(href)) continue
      links += 1
      const [path = '', anchor] = href.split('#')
      const file = join(folder, path === '' ? page : normalize(join(dirname(page), path)))
      if (!existsSync(file)) broken.push(`${page}: ${href}`)
      else if (anchor !== undefined && !hasId(file, anchor)) broken.push(`${page}: ${href}`)
    }
  expect(broken).toEqual([])
  expect(links).toBeGreaterThan(2000)
})

test('links of the Markdown files lead to files too', () => {
  const broken: string[] = []
  const files = [...globSync('**/*.md', { cwd: folder }), 'llms.txt', 'llms-full.txt']
  for (const file of files)
    for (const href of all(read(file).replaceAll(/^```[\s\S]*?^```/gm, ''), /\]\((?!https?:|mailto:|#)([^)\s#]+)/g))
      if (!existsSync(join(folder, dirname(file), href))) broken.push(`${file}: ${href}`)
  expect(broken).toEqual([])
  expect(files.length).toBe(markdownFiles().length + 2)
})

test('nothing is loaded from another host, and no script is inside a page', () => {
  for (const page of htmlFiles()) {
    const html = read(page)
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self';`)
    expect(all(html, /<(?:script|link|img|source)[^>]*\s(?:src|href|srcset)="(https?:[^"]*)"/g)).toEqual([])
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<[^>]*\s(?:style|on\w+)=/)
  }
  expect(read('site.css')).not.toMatch(/@import|url\(/)
})

test('every document has a page, and every page leads to all others by the same navigation', () => {
  const places = markdownFiles().map(placeOf)
  expect(new Set(places).size).toBe(places.length)
  expect(places.filter((place) => !existsSync(join(folder, place)))).toEqual([])
  const navigation = readNavigation(readFileSync('docs/README.md', 'utf8'))
  expect(navigation.map(({ name }) => name)).toEqual(['Begin', 'Guides', 'Reference', 'Explanation', 'Internal'])
  for (const { items } of navigation)
    for (const { file } of items) expect([file, existsSync(file)]).toEqual([file, true])
  const named = new Set(navigation.flatMap(({ items }) => items.map(({ file }) => file)))
  expect(markdownFiles().filter((file) => /^docs\/(?:guides|reference)\//.test(file) && !named.has(file))).toEqual([])
})

test('a file to copy has a page, and its bytes beside it', () => {
  const file = 'examples/backends/python/backend.py'
  expect(read(`source/${file}`)).toBe(readFileSync(file, 'utf8'))
  expect(read(`source/${file}.html`)).toContain(
    'href="../../../../source/examples/backends/python/backend.py" download',
  )
  expect(read('examples/backends/index.md')).toContain('](../../source/examples/backends/python/backend.py)')
})

test('the search has an entry for each heading, which leads there', () => {
  const entries = JSON.parse(read('search.json')) as SearchEntry[]
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
  const verify = entries.find(({ url }) => url === 'guides/backend.html#the-signature')
  expect(verify).toMatchObject({ page: 'Integrating a backend', heading: 'The signature' })
  expect(verify?.text).toContain('Standard Webhooks')
  const lost = entries.filter(({ url }) => {
    const [place = '', anchor] = url.split('#')
    return anchor !== undefined && !hasId(join(folder, place), anchor)
  })
  expect(lost).toEqual([])
})

test('each version keeps its folder, and the top leads to the newest', async () => {
  expect(JSON.parse(readFileSync(join(top, 'versions.json'), 'utf8'))).toEqual(['3.0.0-rc', '0.9.0'])
  expect(readFileSync(join(top, 'index.html'), 'utf8')).toContain('url=3.0.0-rc/index.html')
  const own = readFileSync(join(top, 'llms.txt'), 'utf8')
  expect(own).toContain('# Cashier 3.0.0-rc')
  for (const href of all(own, /\]\(([^)]+)\)/g)) expect([href, existsSync(join(top, href))]).toEqual([href, true])
  expect(existsSync(join(top, '0.9.0/guides/embed.html'))).toBe(true)
  await makeSite(top, '0.9.0')
  expect(readFileSync(join(top, 'llms.txt'), 'utf8')).toBe(own)
}, 120_000)

test('the pictures of the screens, if there are any, are a page of the navigation', async () => {
  const made = mkdtempSync(join(tmpdir(), 'cashier-docs-'))
  try {
    for (const scheme of ['light', 'dark'])
      cpSync('docs/images/demo.png', join(made, `pictures/390-${scheme}/withdraw-review.png`))
    const site = await makeSite(join(made, 'site'), '1.0.0', join(made, 'pictures'))
    const html = readFileSync(join(site.folder, 'screens.html'), 'utf8')
    expect(html).toContain('srcset="images/screens/dark/withdraw-review.png"')
    expect(html).toContain('<img src="images/screens/light/withdraw-review.png" alt="The screen: withdraw review"')
    expect(existsSync(join(site.folder, 'images/screens/dark/withdraw-review.png'))).toBe(true)
    expect(readFileSync(join(site.folder, 'guides/embed.html'), 'utf8')).toContain(
      '<a href="../screens.html">Screens</a>',
    )
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}, 120_000)

test('the file for assistants comes first, and all that integrators need is in one file', () => {
  expect(all(read('llms.txt'), /\]\(([^)]+)\)/g)[0]).toBe('assistant.md')
  const full = read('llms-full.txt')
  expect(all(full, /^<!-- ([\w./-]+\.md) -->$/gm)[0]).toBe('assistant.md')
  for (const place of ['guides/backend.md', 'reference/merchant-api.md', 'explanation/money.md'])
    expect(full).toContain(`<!-- ${place} -->`)
  expect(full).not.toContain('<!-- internal/')
})

test('a document shows code of each backend, from the tested files', () => {
  for (const name of ['verified', 'apply', 'authorize']) {
    const parts = backendCode(name)
    expect(parts.map(({ label }) => label)).toEqual(['Node', 'Python', 'PHP', 'Go', 'Ruby'])
    for (const { code } of parts) {
      expect(code.split('\n').length).toBeGreaterThan(4)
      expect(code.split('\n').length).toBeLessThan(45)
    }
  }
  expect(() => backendCode('nothing')).toThrow('no part nothing')
  expect(read('guides/backend.html')).toContain('<section data-tab="Python"><h4>Python</h4>')
})

test('a link that leads nowhere, and HTML in a document, are refused', () => {
  const render = (text: string) => renderMarkdown('docs/guides/embed.md', `# A title\n\n${text}`)
  expect(() => render('[x](nowhere.md)')).toThrow('docs/guides/embed.md: nowhere.md leads nowhere')
  expect(() => render('<b>bold</b>')).toThrow('has HTML')
  expect(() => renderMarkdown('docs/guides/embed.md', 'no title')).toThrow('does not begin with its title')
})

test('headings that are repeated have their own anchors, and code is text', () => {
  const { title, sections } = renderMarkdown('docs/x.md', '# `A` & b\n\n## Same\n\n## Same\n\n```\n<i>\n```\n')
  expect(title).toBe('A & b')
  expect(sections.map(({ anchor }) => anchor)).toEqual(['', 'same', 'same-1'])
  expect(sections[2]?.html).toContain('<code>&lt;i&gt;</code>')
  expect(plainText('<p>a &lt;b&gt; <i>c</i></p>')).toBe('a <b> c')
})
