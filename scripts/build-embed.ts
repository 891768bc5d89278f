/**
 * Bundles lib/embed/embed.ts to public/embed.js, public/embed/v1.js and a name with its hash, for who pins it; refuses a
 * script over 5 kB gzip.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Compressed bytes. */
export const EMBED_BUDGET = 5 * 1024

/** The script as merchants load it. */
export async function bundleEmbed(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['lib/embed/embed.ts'],
    bundle: true,
    format: 'iife',
    minify: true,
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    legalComments: 'none',
    write: false,
  })
  const [file] = outputFiles
  if (!file) throw new Error('esbuild produced no file')
  return file.contents
}

export const gzipSize = (content: Uint8Array): number => gzipSync(content, { level: 6 }).length

/** Below public/. The content of a file of this name never changes. */
const pinnedName = (content: Uint8Array): string =>
  `embed/v1-${createHash('sha256').update(content).digest('hex').slice(0, 16)}.js`

if (import.meta.main) {
  const content = await bundleEmbed()
  const size = gzipSize(content)
  if (size > EMBED_BUDGET) throw new Error(`embed.js is ${size} bytes gzip; the budget is ${EMBED_BUDGET}`)
  await mkdir(`${root}public/embed`, { recursive: true })
  const names = ['embed.js', 'embed/v1.js', pinnedName(content)]
  for (const name of names) await writeFile(`${root}public/${name}`, content)
  console.log(`public/: ${names.join(', ')}: ${size} bytes gzip`)
}
