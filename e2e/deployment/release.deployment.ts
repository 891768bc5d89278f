/**
 * Tests the files of `npm run release`: all files in its sums, and a bundle that starts. Uses the current build, or
 * makes one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readVersion, versionText } from '#lib/server/runtime/version.ts'
import { buildIsFresh } from '../../scripts/build-age.ts'
import { writeRelease } from '../../scripts/release.ts'
import { readDockerfile } from './dockerfile.ts'

const folder = mkdtempSync(join(tmpdir(), 'cashier-release-test-'))
const { version: inDevelopment } = readVersion()
const version = inDevelopment.replace(/-dev$/, '')

beforeAll(async () => {
  if (!buildIsFresh(resolve('.'))) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' })
  await writeRelease(folder)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it has programs, bundle, image, sources, packages, SBOM, notices, provenance and their sums', () => {
  const files = [
    `cashier-${version}-${process.platform}-${process.arch}.tar.gz`,
    `cashier-${version}-image.tar.gz`,
    `cashier-${version}-source.tar.gz`,
    `cashier-${version}.cdx.json`,
    `cashier-${version}.provenance.json`,
    `cashier-${version}.tgz`,
    `cashier-sandbox-${version}.tgz`,
    `cashier-embed-${version}.tgz`,
    `cashier-server-${version}.tgz`,
    `cashier-testing-${version}.tgz`,
    'THIRD_PARTY_NOTICES',
  ]
  expect(readdirSync(folder).toSorted()).toEqual([...files, 'SHA256SUMS'].toSorted())
  const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  expect([status, stdout.trim().split('\n').toSorted()]).toEqual([0, files.map((name) => `${name}: OK`).toSorted()])
  const sources = execFileSync('tar', ['-tzf', join(folder, `cashier-${version}-source.tar.gz`)], { encoding: 'utf8' })
  expect(sources.split('\n')).toEqual(
    expect.arrayContaining([`cashier-${version}/server.ts`, `cashier-${version}/LICENSE`]),
  )
})

test('the provenance names the commit and the sums of all other files', () => {
  const statement = z
    .object({
      _type: z.literal('https://in-toto.io/Statement/v1'),
      predicateType: z.literal('https://slsa.dev/provenance/v1'),
      subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
      predicate: z.object({
        buildDefinition: z.object({
          resolvedDependencies: z.array(z.object({ digest: z.record(z.string(), z.string()) })),
        }),
      }),
    })
    .parse(JSON.parse(readFileSync(join(folder, `cashier-${version}.provenance.json`), 'utf8')))
  const sums = statement.subject.map(({ name, digest }) => `${digest.sha256}  ${name}`)
  const written = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
  expect(sums).toEqual(written.filter((line) => !line.endsWith('.provenance.json')))
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  expect(statement.predicate.buildDefinition.resolvedDependencies[0]?.digest).toEqual({ gitCommit: commit })
})

test('the context of the image has all that its Dockerfile copies, for every platform', () => {
  const unpacked = mkdtempSync(join(tmpdir(), 'cashier-release-image-'))
  try {
    execFileSync('tar', ['-xzf', join(folder, `cashier-${version}-image.tar.gz`), '-C', unpacked])
    const context = join(unpacked, `cashier-${version}-image`)
    const { entrypoint, command, labels } = readDockerfile(join(context, 'Dockerfile'))
    expect(labels['org.opencontainers.image.version']).toBe(version)
    const [, ...args] = [...entrypoint, ...command].map((word) => word.replace('/cashier/', `${context}/cashier/`))
    const started = spawnSync(process.execPath, args, {
      cwd: unpacked,
      env: { NODE_ENV: 'production' },
      encoding: 'utf8',
    })
    expect([started.status, started.stderr]).toEqual([1, expect.stringContaining('GATEWAY_API_KEY')])
    expect(globSync('**/*.node', { cwd: context })).toEqual([])
  } finally {
    rmSync(unpacked, { recursive: true })
  }
})

test('sources, packages and SBOM name only the released version', () => {
  const unpacked = mkdtempSync(join(tmpdir(), 'cashier-release-names-'))
  try {
    const archives = readdirSync(folder).filter((name) => /(-source\.tar\.gz|\.tgz)$/.test(name))
    for (const name of archives) {
      const at = join(unpacked, name)
      mkdirSync(at)
      execFileSync('tar', ['-xzf', join(folder, name), '-C', at])
    }
    cpSync(join(folder, `cashier-${version}.cdx.json`), join(unpacked, 'sbom.json'))
    const naming = (text: string): readonly string[] =>
      spawnSync('grep', ['-rlF', '-e', text, '.'], { cwd: unpacked, encoding: 'utf8' }).stdout.trim().split('\n')
    expect(naming(inDevelopment)).toEqual([''])
    const packages = ['embed', 'server', 'testing'].map((one) => `./cashier-${one}-${version}.tgz/package/package.json`)
    expect(naming(`"version": "${version}"`)).toEqual(expect.arrayContaining([...packages, './sbom.json']))
  } finally {
    rmSync(unpacked, { recursive: true })
  }
})

test('its bundle runs with its own Node, and has the notices', () => {
  execFileSync('tar', ['-xzf', `cashier-${version}-${process.platform}-${process.arch}.tar.gz`], { cwd: folder })
  const bundle = join(folder, `cashier-${version}`)
  const started = spawnSync(join(bundle, 'node'), ['--conditions=react-server', 'server.ts'], {
    cwd: bundle,
    env: { NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  // Without settings it names all missing variables, for which it must load its packages.
  expect([started.status, started.stderr]).toEqual([1, expect.stringContaining('GATEWAY_API_KEY')])
  const said = spawnSync(join(bundle, 'cashier'), ['doctor'], {
    cwd: bundle,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  expect(said.stdout).toContain(`ok    version: ${versionText({ ...readVersion(), version })}\n`)
  expect(readdirSync(bundle)).toEqual(expect.arrayContaining(['THIRD_PARTY_NOTICES', 'LICENSE', 'package.json']))
  expect(readdirSync(join(bundle, 'public'))).toEqual(expect.arrayContaining(['embed.js', 'embed.d.ts']))
})
