/**
 * `npm run release -- FOLDER`: what a release consists of, in a new folder: the bundle for this system, the sources, the
 * packages, the SBOM, the notices, and SHA-256 sums. It tags and publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { makeBundle } from './bundle.ts'
import { readDependencies } from './dependencies.ts'
import { PACKAGES, packPackage } from './packages.ts'
import { askNpm, shippedOnly } from './sbom.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SUMS = 'SHA256SUMS'

const versionOf = (folder: string): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))).version

export interface ReleaseState {
  /** As `git status --porcelain` prints it. */
  readonly changes: string
  /** By folder; the first is the project's. */
  readonly versions: Readonly<Record<string, string>>
  readonly changelog: string
}

/** Why this must not be released. */
export function releaseFaults({ changes, versions, changelog }: ReleaseState): readonly string[] {
  const [project, ...packages] = Object.entries(versions)
  const version = project?.[1] ?? ''
  const unreleased = /## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|$)/.exec(changelog)?.[1] ?? ''
  return [
    ...(changes.trim() === '' ? [] : [`The work tree is not clean:\n${changes.trimEnd()}`]),
    ...packages
      .filter(([, one]) => one !== version)
      .map(([folder, one]) => `${folder} is version ${one}, the project is ${version}.`),
    ...(changelog.includes(`\n## [${version}]`) ? [] : [`CHANGELOG.md has no section [${version}].`]),
    ...(/^- /m.test(unreleased) ? ['CHANGELOG.md has entries under [Unreleased]: move them under the version.'] : []),
  ]
}

const readState = (): ReleaseState => ({
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
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  return lines.join('')
}

/**
 * Writes the files of a release from the present sources and their build.
 * @param folder does not exist, or is empty
 */
export async function writeRelease(folder: string): Promise<void> {
  const name = `cashier-${versionOf('.')}`
  const platform = `${process.platform}-${process.arch}`
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'cashier-release-'))
  try {
    await makeBundle(join(work, name))
    execFileSync('tar', ['-czf', join(folder, `${name}-${platform}.tar.gz`), '-C', work, name])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const source = [
    'archive',
    '--format=tar.gz',
    `--prefix=${name}/`,
    `--output=${join(folder, `${name}-source.tar.gz`)}`,
  ]
  execFileSync('git', [...source, 'HEAD'], { cwd: ROOT })
  for (const one of PACKAGES) packPackage(one, folder)
  const sbom = shippedOnly(askNpm(), readDependencies())
  writeFileSync(join(folder, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`)
  copyFileSync(join(ROOT, 'THIRD_PARTY_NOTICES'), join(folder, 'THIRD_PARTY_NOTICES'))
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
  // Always: a build that looks new may still have a route whose file was deleted.
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
