/**
 * `npm run release -- FOLDER`: writes a release into a new folder: the programs and the packages for npm, the bundle
 * for this system, what an image is made from, the sources, the SBOM, the notices, the provenance, and SHA-256 sums.
 * The working tree has the version `1.2.3-dev`; the release has `1.2.3`. The command tags and publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { copyProgram, makeBundle, OPERATOR_MODULES } from './bundle.ts'
import { readDependencies } from './dependencies.ts'
import { PACKAGES, packPackage } from './packages.ts'
import { packProgram, PROGRAM_PACKAGE_NAMES } from './program-packages.ts'
import { provenanceOf, sha256 } from './provenance.ts'
import { askNpm, shippedOnly } from './sbom.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SUMS = 'SHA256SUMS'

const versionOf = (folder: string): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))).version

export interface ReleaseState {
  /** The output of `git status --porcelain`. */
  readonly changes: string
  /** Versions by folder; the first is the project's. */
  readonly versions: Readonly<Record<string, string>>
  readonly changelog: string
}

/** `1.2.3` for `1.2.3-dev`; null for other versions. */
const releasedOf = (version: string): string | null => /^(\d+\.\d+\.\d+)-dev$/.exec(version)?.[1] ?? null

/** The files that name the version of this project. Installed packages and the build of the pages do not. */
const STAMPED = ['**/*.{json,md,yaml}', '**/Dockerfile']
const UNSTAMPED = ['**/node_modules', '**/.next']

/** Replaces the version in development by the released version in all files of a folder. */
export function stampVersion(folder: string, from: string, to: string): void {
  // A route's folder may be called openapi.json.
  const files = globSync(STAMPED, { cwd: folder, exclude: UNSTAMPED }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
  for (const file of files) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (text.includes(from)) writeFileSync(path, text.replaceAll(from, to))
  }
}

/** Stands in the sources for the address of the repository. */
const NO_REPOSITORY = 'https://git.example.com/cashier'

/** The address of git's `origin` as https; null if it has none. */
export function repositoryOf(origin: string): string | null {
  const [, host, path] =
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/git@|git@)([\w.-]+)[:/]([\w./-]+)$/.exec(origin.trim()) ?? []
  return host === undefined || path === undefined ? null : `https://${host}/${path.replace(/\.git$/, '')}`
}

function originOf(): string {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return ''
  }
}

/** The reasons why this state must not be released. */
export function releaseFaults({ changes, versions, changelog }: ReleaseState): readonly string[] {
  const [project, ...packages] = Object.entries(versions)
  const version = project?.[1] ?? ''
  const released = releasedOf(version)
  const unreleased = /## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|$)/.exec(changelog)?.[1] ?? ''
  return [
    ...(changes.trim() === '' ? [] : [`The work tree is not clean:\n${changes.trimEnd()}`]),
    ...packages
      .filter(([, one]) => one !== version)
      .map(([folder, one]) => `${folder} is version ${one}, the project is ${version}.`),
    ...(released === null ? [`${version} is not a version in development, such as 1.2.3-dev.`] : []),
    ...(released === null || changelog.includes(`\n## [${released}]`)
      ? []
      : [`CHANGELOG.md has no section [${released}].`]),
    ...(/^- /m.test(unreleased) ? ['CHANGELOG.md has entries under [Unreleased]: move them under the version.'] : []),
  ]
}

export const readState = (): ReleaseState => ({
  changes: execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }),
  versions: Object.fromEntries(
    ['.', ...PACKAGES.map((name) => `packages/${name}`)].map((one) => [one, versionOf(one)]),
  ),
  changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
})

/** In the form that `sha256sum --check` reads. */
function sumsOf(folder: string): string {
  const lines = readdirSync(folder)
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
  return lines.join('')
}

/**
 * Writes the files of a release from the current sources and their build.
 * @param folder does not exist, or is empty
 */
export async function writeRelease(folder: string): Promise<void> {
  const version = versionOf('.')
  const released = releasedOf(version) ?? version
  const name = `cashier-${released}`
  const startedMs = Date.now()
  const repository = repositoryOf(originOf()) ?? NO_REPOSITORY
  if (repository === NO_REPOSITORY)
    console.error(`git has no remote origin: the packages name ${NO_REPOSITORY}, which does not exist.`)
  const stamp = (copy: string): void => {
    stampVersion(copy, version, released)
    stampVersion(copy, NO_REPOSITORY, repository)
  }
  const platform = `${process.platform}-${process.arch}`
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'cashier-release-'))
  try {
    const [bundle, sources] = [join(work, 'bundle'), join(work, 'sources')]
    await makeBundle(join(bundle, name))
    stamp(bundle)
    execFileSync('tar', ['-czf', join(folder, `${name}-${platform}.tar.gz`), '-C', bundle, name])
    const image = join(work, 'image', `${name}-image`)
    await copyProgram(join(image, 'cashier'), OPERATOR_MODULES)
    copyFileSync(join(ROOT, 'ops/docker/Dockerfile'), join(image, 'Dockerfile'))
    stamp(image)
    execFileSync('tar', ['-czf', join(folder, `${name}-image.tar.gz`), '-C', join(work, 'image'), `${name}-image`])
    const archive = execFileSync('git', ['archive', `--prefix=${name}/`, 'HEAD'], { cwd: ROOT, maxBuffer: Infinity })
    mkdirSync(sources)
    execFileSync('tar', ['-x', '-C', sources], { input: archive })
    stamp(sources)
    execFileSync('tar', ['-czf', join(folder, `${name}-source.tar.gz`), '-C', sources, name])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  for (const one of PACKAGES) packPackage(one, folder, stamp)
  for (const one of PROGRAM_PACKAGE_NAMES) await packProgram(one, folder, stamp)
  const sbom = shippedOnly(askNpm(), readDependencies())
  writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2).replaceAll(version, released)}\n`)
  copyFileSync(join(ROOT, 'THIRD_PARTY_NOTICES'), join(folder, 'THIRD_PARTY_NOTICES'))
  const names = readdirSync(folder).toSorted()
  const build = { folder, names, version: released, repository, startedMs, finishedMs: Date.now() }
  writeFileSync(join(folder, `${name}.provenance.json`), `${JSON.stringify(provenanceOf(build), null, 2)}\n`)
  writeFileSync(join(folder, SUMS), sumsOf(folder))
}

export interface ReleaseSteps {
  readonly readState: () => ReleaseState
  /** Runs a script of package.json. @throws when it fails */
  readonly run: (script: string) => void
  readonly write: (folder: string) => Promise<void>
}

const STEPS: ReleaseSteps = {
  readState,
  run: (script) => void execFileSync('npm', ['run', '--silent', script], { cwd: ROOT, stdio: 'inherit' }),
  write: writeRelease,
}

/** Returns the exit code. */
export async function release(folder: string, { readState, run, write }: ReleaseSteps = STEPS): Promise<number> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    console.error(`${folder} is not empty.`)
    return 2
  }
  const faults = releaseFaults(readState())
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) return 1
  run('audit:deps')
  // Always build: an existing build that looks current may still contain a route whose file was deleted.
  run('build')
  await write(folder)
  console.log(`${readFileSync(join(folder, SUMS), 'utf8')}\nNothing was tagged or published.`)
  return 0
}

if (import.meta.main) {
  const [folder] = parseArgs({ allowPositionals: true }).positionals
  if (folder === undefined) console.error('Name a folder: npm run release -- ../cashier-release')
  process.exitCode = folder === undefined ? 2 : await release(resolve(folder))
}
