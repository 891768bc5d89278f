/** Bundles lib/embed/embed.ts to public/embed.js and public/embed/v1.js; refuses a script over 5 kB gzip. */
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

if (import.meta.main) {
  const content = await bundleEmbed()
  const size = gzipSize(content)
  if (size > EMBED_BUDGET) throw new Error(`embed.js is ${size} bytes gzip; the budget is ${EMBED_BUDGET}`)
  await mkdir(`${root}public/embed`, { recursive: true })
  for (const file of ['public/embed.js', 'public/embed/v1.js']) await writeFile(root + file, content)
  console.log(`public/embed.js, public/embed/v1.js: ${size} bytes gzip`)
}
