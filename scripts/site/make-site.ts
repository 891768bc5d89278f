/** The documents as a static site: a folder for each version, without a server and without other hosts. */
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { rcompare, valid } from 'semver'
import { apiGroups, apiInfo } from '#lib/server/runtime/static-pages/api-page/api-page.ts'
import { escapeHtml } from '#lib/server/runtime/static-pages/static-page.ts'
import { llmsFullText, llmsText, markdownPlace, OPENAPI_COPY, siteMarkdown, type LlmsFacts } from './llms.ts'
import { readNavigation } from './navigation.ts'
import { pageHtml, SITE_STYLE, type SiteFacts, type SitePage } from './page-template.ts'
import { codeBlock, renderMarkdown, type Section } from './render-markdown.ts'
import { searchEntries } from './search-entries.ts'
import { copyOf, filesBelow, isMarkdown, markdownFiles, OPENAPI, placeOf, wayTo } from './site-files.ts'

const MAP = 'docs/README.md'
/** Written by `npm run pictures`. */
const PICTURES = 'pictures/en'
const SCREENS = 'screens.html'
const BROWSER_SCRIPT = 'scripts/site/browser/site.ts'

const textOf = (file: string): string => readFileSync(file, 'utf8')

function write(folder: string, place: string, content: string | Uint8Array): void {
  const file = join(folder, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const oneSection = (title: string, html: string): readonly Section[] => [
  { anchor: '', heading: title, html: `<h1>${escapeHtml(title)}</h1>${html}` },
]

/** A file of the project, or a folder with links to its files. */
function sourcePage(file: string): SitePage {
  const place = placeOf(file)
  if (!statSync(file).isDirectory()) {
    const copy = `<p><a href="${wayTo(place, copyOf(file))}" download>Download ${escapeHtml(basename(file))}</a></p>`
    return { place, title: file, sections: oneSection(file, copy + codeBlock(textOf(file))) }
  }
  const links = filesBelow(file).map((one) => {
    const label = one.slice(file.length + 1)
    return `<li><a href="${wayTo(place, placeOf(one))}">${escapeHtml(label)}</a></li>`
  })
  return { place, title: file, sections: oneSection(file, `<ul>${links.join('')}</ul>`) }
}

/** Pages of all files that documents link to, and of the files of linked folders; and the files that are copied. */
function linkedFiles(linked: readonly string[]): {
  readonly pages: readonly SitePage[]
  readonly copies: readonly string[]
} {
  const files = new Set(linked.flatMap((file) => (statSync(file).isDirectory() ? [file, ...filesBelow(file)] : [file])))
  const others = [...files].filter((file) => !isMarkdown(file) && file !== OPENAPI)
  const isPage = (file: string): boolean => placeOf(file).endsWith('.html')
  return {
    pages: others.filter(isPage).map(sourcePage),
    copies: others.filter((file) => !statSync(file).isDirectory()),
  }
}

/** The merchant API with every field and example. */
function apiReference(): SitePage {
  const place = placeOf(OPENAPI)
  const { title, introduction } = apiInfo()
  const raw = `<p><a href="${wayTo(place, OPENAPI_COPY)}">The same for programs: openapi.json</a></p>`
  const groups = apiGroups({ url: 'https://cashier.example.com', interactive: false }).flatMap((group) => [
    {
      anchor: group.id,
      heading: group.name,
      html: `<h2 id="${group.id}">${escapeHtml(group.name)}</h2>${group.introduction}`,
    },
    ...group.parts.map(({ id, heading, html }) => ({ anchor: id, heading, html })),
  ])
  return { place, title, sections: [...oneSection(title, introduction + raw), ...groups] }
}

/** The pictures of the screens, if there are any, each light and dark. */
function screens(folder: string, pictures: string): SitePage | null {
  const light = globSync(`${pictures}/390-light/*.png`).toSorted()
  if (light.length === 0) return null
  const figures = light.map((file) => {
    const name = basename(file, '.png')
    const dark = file.replace('390-light', '390-dark')
    const copy = (from: string, scheme: string): string => {
      const place = `images/screens/${scheme}/${name}.png`
      write(folder, place, readFileSync(from))
      return place
    }
    const shown = copy(file, 'light')
    const source = existsSync(dark) ? `<source media="(prefers-color-scheme:dark)" srcset="${copy(dark, 'dark')}">` : ''
    const label = name.replaceAll('-', ' ')
    return `<figure><picture>${source}<img src="${shown}" alt="The screen: ${escapeHtml(label)}" loading="lazy"></picture><figcaption>${escapeHtml(label)}</figcaption></figure>`
  })
  return { place: SCREENS, title: 'Screens', sections: oneSection('Screens', figures.join('\n')) }
}

async function browserScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [BROWSER_SCRIPT],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'inline',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** The page at the top leads to the newest version. */
function writeTop(folder: string, version: string, llms: LlmsFacts): void {
  const isVersion = (name: string): boolean => valid(name) !== null
  const versions = readdirSync(folder).filter(isVersion).toSorted(rcompare)
  const [newest = ''] = versions
  write(folder, 'versions.json', JSON.stringify(versions))
  const links = versions.map((one) => `<li><a href="${one}/index.html">Cashier ${one}</a></li>`)
  write(
    folder,
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${newest}/index.html"><title>Cashier</title><main><h1>Cashier</h1><ul>${links.join('')}</ul></main></html>\n`,
  )
  if (version !== newest) return
  write(folder, 'llms.txt', llmsText(llms, `${version}/`))
}

export interface MadeSite {
  readonly pages: number
  /** The folder of the version. */
  readonly folder: string
}

/**
 * Writes the site of a version into a folder; other versions in it stay.
 * @param pictures the folder of the screens' pictures, which may be missing
 * @throws RangeError for a link that leads nowhere
 */
export async function makeSite(top: string, version: string, pictures = PICTURES): Promise<MadeSite> {
  const folder = join(top, version)
  rmSync(folder, { recursive: true, force: true })
  const documents = markdownFiles().map((file) => ({ file, ...renderMarkdown(file, textOf(file)) }))
  const pages: SitePage[] = documents.map(({ file, title, sections }) => ({
    place: placeOf(file),
    title,
    sections,
    markdown: markdownPlace(file),
  }))
  const linked = linkedFiles(documents.flatMap((one) => one.linked))
  const shown = screens(folder, pictures)
  const all = [...pages, apiReference(), ...linked.pages, ...(shown ? [shown] : [])]
  const [begin, ...groups] = readNavigation(textOf(MAP))
  if (begin === undefined) throw new RangeError(`${MAP} has no links`)
  const more = shown ? [{ text: shown.title, file: pictures, place: shown.place }] : []
  const facts: SiteFacts = { version, navigation: [{ ...begin, items: [...begin.items, ...more] }, ...groups] }
  for (const page of all) write(folder, page.place, pageHtml(page, facts))
  for (const { file } of documents) write(folder, markdownPlace(file), siteMarkdown(file, textOf(file)))
  for (const file of new Set(linked.copies)) {
    mkdirSync(dirname(join(folder, copyOf(file))), { recursive: true })
    copyFileSync(file, join(folder, copyOf(file)))
  }
  copyFileSync(OPENAPI, join(folder, OPENAPI_COPY))
  const llms = { ...facts, textOf }
  write(folder, 'site.css', SITE_STYLE)
  write(folder, 'site.js', await browserScript())
  write(folder, 'search.json', JSON.stringify(searchEntries([...pages, apiReference()])))
  write(folder, 'llms.txt', llmsText(llms))
  write(folder, 'llms-full.txt', llmsFullText(llms))
  writeTop(top, version, llms)
  return { pages: all.length, folder }
}
