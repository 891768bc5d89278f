/** Which files the site has, and where they are in it. */
import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

const MARKDOWN = ['*.md', '{docs,bench,examples,packages,sandbox}/**/*.md']
/** What no visitor needs: packages, builds, and data of runs. */
const LEFT_OUT = ['**/node_modules/**', '**/dist/**', '**/bookings.*']
/** Copied as they are, so that programs can read them. */
const RAW = /\.(?:png|webp|svg|json|txt)$/
/** The document that is the first page. */
const FIRST_PAGE = 'docs/why.md'

/** Has a page for people, and is also copied for programs. */
export const OPENAPI = 'docs/openapi.json'

export const isMarkdown = (file: string): boolean => file.endsWith('.md')
const isFolder = (file: string): boolean => statSync(file).isDirectory()

const filesIn = (patterns: readonly string[], cwd = '.'): readonly string[] =>
  globSync([...patterns], { cwd, exclude: LEFT_OUT })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()

export const markdownFiles = (): readonly string[] => filesIn(MARKDOWN)

/** Files of a folder at any depth, without hidden ones. */
export const filesBelow = (folder: string): readonly string[] =>
  filesIn(['**/*'], folder)
    .map((file) => join(folder, file))
    .filter((file) => !isFolder(file))

/** The place of a file or folder of the project in the site. */
export function placeOf(file: string): string {
  if (file === FIRST_PAGE) return 'index.html'
  if (file === OPENAPI) return 'reference/openapi.html'
  const inDocs = file.replace(/^docs\//, '')
  if (isMarkdown(file)) {
    const name = inDocs === file ? file.toLowerCase() : inDocs.replace('README.md', 'map.md')
    return name.replace(/readme\.md$/, file.includes('/') ? 'index.html' : 'readme.html').replace(/\.md$/, '.html')
  }
  if (isFolder(file)) return `source/${file}/index.html`
  return RAW.test(file) ? inDocs : `source/${file}.html`
}

/** The place of a file's copy for programs, if its place is a page that shows it; else its place. */
export function copyOf(file: string): string {
  const place = placeOf(file)
  return place === `source/${file}.html` ? `source/${file}` : place
}

export type Target =
  | { readonly kind: 'outside'; readonly href: string }
  /** @property anchor with its `#`, or empty */
  | { readonly kind: 'inside'; readonly file: string; readonly anchor: string }

/** Where a link of a document leads. @throws RangeError if it leads nowhere */
export function targetOf(from: string, href: string): Target {
  if (/^(?:https?:|mailto:)/.test(href)) return { kind: 'outside', href }
  const [path = '', anchor] = href.split('#')
  const file = path === '' ? from : normalize(join(dirname(from), decodeURI(path))).replace(/\/$/, '')
  if (!existsSync(file)) throw new RangeError(`${from}: ${href} leads nowhere`)
  return { kind: 'inside', file, anchor: anchor === undefined ? '' : `#${anchor}` }
}

/** The way from one place in the site to another. */
export function wayTo(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1)
  return up + to
}
