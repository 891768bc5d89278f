/**
 * Tests the files of `npm run release`: all files in its sums, and a bundle that starts. Uses the current build, or
 * makes one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVersion, versionText } from '#lib/server/runtime/version.ts'
import { buildIsFresh } from '../../scripts/build-age.ts'
import { writeRelease } from '../../scripts/release.ts'

const folder = mkdtempSync(join(tmpdir(), 'cashier-release-test-'))
const { version: inDevelopment } = readVersion()
const version = inDevelopment.replace(/-dev$/, '')

beforeAll(async () => {
  if (!buildIsFresh(resolve('.'))) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' })
  await writeRelease(folder)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it has bundle, sources, packages, SBOM, notices and their sums', () => {
  const files = [
    `cashier-${version}-${process.platform}-${process.arch}.tar.gz`,
    `cashier-${version}-source.tar.gz`,
    `cashier-${version}.cdx.json`,
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
  const said = spawnSync(join(bundle, 'node'), ['--conditions=react-server', 'scripts/doctor.ts'], {
    cwd: bundle,
    env: { NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  expect(said.stdout).toContain(`ok    version: ${versionText({ ...readVersion(), version })}\n`)
  expect(readdirSync(bundle)).toEqual(expect.arrayContaining(['THIRD_PARTY_NOTICES', 'LICENSE', 'package.json']))
  expect(readdirSync(join(bundle, 'public'))).toEqual(expect.arrayContaining(['embed.js', 'embed.d.ts']))
})
