/** The script for `/embed` to preload. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const BUILD = fileURLToPath(new URL('../../../../.next/', import.meta.url))
const MANIFEST = 'build-manifest.json'

const manifestSchema = z.object({ rootMainFiles: z.array(z.string()) })

/** The path of the smallest script that every page loads: the runtime of the others. Null without a production build. */
export function firstScript(build = BUILD): string | null {
  if (!existsSync(build + MANIFEST)) return null
  const { rootMainFiles } = manifestSchema.parse(JSON.parse(readFileSync(build + MANIFEST, 'utf8')))
  const sizes = new Map(rootMainFiles.map((file) => [file, statSync(build + file).size]))
  const [smallest] = rootMainFiles.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
  return smallest === undefined ? null : `/_next/${smallest}`
}
