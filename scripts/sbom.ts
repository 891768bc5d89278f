/** The SBOM (CycloneDX) of the shipped packages. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import type { Dependency } from './dependencies.ts'

const sbomSchema = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
})
export type Sbom = z.infer<typeof sbomSchema>

/**
 * The SBOM of all packages in the lock file. In npm 11, `--omit=dev` would leave out shipped packages that a
 * development package uses too, such as `pg`.
 */
export function askNpm(): Sbom {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  return sbomSchema.parse(JSON.parse(stdout))
}

const nameOf = ({ name, version }: { readonly name: string; readonly version: string }): string => `${name}@${version}`

/** Removes packages that are for development only. */
export function shippedOnly(sbom: Sbom, dependencies: readonly Dependency[]): Sbom {
  const shipped = new Set(dependencies.filter(({ dev }) => !dev).map(nameOf))
  const components = sbom.components.filter((one) => shipped.has(nameOf(one)))
  const refs = new Set([...components.map((one) => one['bom-ref']), sbom.metadata.component['bom-ref']])
  return {
    ...sbom,
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) })),
  }
}

/** Shipped packages that the SBOM lacks. */
export function missingFrom(sbom: Sbom, dependencies: readonly Dependency[]): readonly string[] {
  const listed = new Set(sbom.components.map(nameOf))
  return dependencies
    .filter(({ dev }) => !dev)
    .map(nameOf)
    .filter((one) => !listed.has(one))
}
