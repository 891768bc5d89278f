/** The files of the build that the first page needs, for `/embed` to preload. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { EmbedFile } from './embed-page.ts'

const BUILD = fileURLToPath(new URL('../../../../.next/', import.meta.url))
const COMMON = 'build-manifest.json'
const PAGE = 'server/app/c/[session]/deposit/page_client-reference-manifest.js'

const commonSchema = z.object({ rootMainFiles: z.array(z.string()) })
const pageSchema = z.object({ entryCSSFiles: z.record(z.string(), z.array(z.object({ path: z.string() }))) })

/** Preloading a smaller script saves no time, and a preload that is still running is fetched twice. */
const WORTH_BYTES = 20_000

/** Styles first, then the larger scripts that every page has. Empty without a production build. */
export function firstFiles(build = BUILD): readonly EmbedFile[] {
  if (!existsSync(build + COMMON) || !existsSync(build + PAGE)) return []
  const { rootMainFiles } = commonSchema.parse(JSON.parse(readFileSync(build + COMMON, 'utf8')))
  const page = readFileSync(build + PAGE, 'utf8')
  // The file is a script that assigns one JSON object.
  const { entryCSSFiles } = pageSchema.parse(JSON.parse(page.slice(page.indexOf('] = {') + 4).replace(/;\s*$/, '')))
  const styles = new Set(Object.values(entryCSSFiles).flatMap((files) => files.map(({ path }) => path)))
  const files = (paths: Iterable<string>, as: EmbedFile['as']): EmbedFile[] =>
    Array.from(paths, (path) => ({ path: `/_next/${path}`, as }))
  const scripts = rootMainFiles.filter((path) => statSync(build + path).size >= WORTH_BYTES)
  return [...files(styles, 'style'), ...files(scripts, 'script')]
}
