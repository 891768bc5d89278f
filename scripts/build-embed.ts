/**
 * Bundles the scripts that run without the page's framework: lib/embed/host to public/embed.js, public/embed/v1.js and
 * a file name with its hash, for merchants who pin it; and all scripts of lib/embed/inline to one file, from which the
 * server inserts them into its static pages. Compiles the pages' style, which the server inserts into each page.
 * Refuses an embed.js over 5 kB gzip.
 */
import { createHash } from 'node:crypto'
import { globSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/postcss'
import { build, type BuildOptions } from 'esbuild'
import postcss from 'postcss'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Bytes after gzip. */
export const EMBED_BUDGET = 5 * 1024
/** A JSON file with the inline scripts by name. */
export const INLINE_BUNDLE = 'lib/embed/inline/bundled.json'
export const PAGE_STYLE = 'app/page-style.bundled.css'

async function bundle(options: BuildOptions): Promise<Uint8Array> {
  const { outputFiles = [] } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    legalComments: 'none',
    write: false,
    ...options,
  })
  const [file] = outputFiles
  if (!file) throw new Error('esbuild produced no file')
  return file.contents
}

/** The script as merchants load it. */
export const bundleEmbed = (): Promise<Uint8Array> =>
  bundle({ entryPoints: ['lib/embed/host/embed.ts'], format: 'iife' })

/** The inline scripts by name. Each is the body of a function whose parameter `ARGS` has the script's arguments. */
export async function bundleInline(): Promise<Record<string, string>> {
  const files = globSync('lib/embed/inline/*.ts', { cwd: root }).sort()
  const scripts = files.map(async (file): Promise<[string, string]> => {
    const contents = `import run from './${file}'\nrun(...ARGS)`
    const text = await bundle({ stdin: { contents, resolveDir: root }, format: 'esm' })
    return [basename(file, '.ts'), new TextDecoder().decode(text).trim()]
  })
  return Object.fromEntries(await Promise.all(scripts))
}

/** The style of all pages, minified. */
async function bundleStyle(): Promise<string> {
  const from = `${root}app/globals.css`
  const { css } = await postcss([tailwind({ base: root, optimize: { minify: true } })]).process(
    readFileSync(from, 'utf8'),
    { from },
  )
  return css
}

/** Writes a file that the server reads. If its text has not changed, the file keeps its modification time. */
function writeChanged(name: string, text: string): void {
  const file = root + name
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

/** Writes what the server inserts into pages: the inline scripts and the style. */
export async function writeInline(): Promise<void> {
  const [scripts, style] = await Promise.all([bundleInline(), bundleStyle()])
  writeChanged(INLINE_BUNDLE, JSON.stringify(scripts))
  writeChanged(PAGE_STYLE, style)
}

export const gzipSize = (content: Uint8Array): number => gzipSync(content, { level: 6 }).length

/** Below public/. The name contains the hash, so the content of the file never changes. */
const pinnedName = (content: Uint8Array): string =>
  `embed/v1-${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`

if (import.meta.main) {
  await writeInline()
  const content = await bundleEmbed()
  const size = gzipSize(content)
  if (size > EMBED_BUDGET) throw new Error(`embed.js is ${size} bytes gzip; the budget is ${EMBED_BUDGET}`)
  await mkdir(`${root}public/embed`, { recursive: true })
  const names = ['embed.js', 'embed/v1.js', pinnedName(content)]
  for (const name of names) await writeFile(`${root}public/${name}`, content)
  console.log(`public/: ${names.join(', ')}: ${size} bytes gzip`)
}
