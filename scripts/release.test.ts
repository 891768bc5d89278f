import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readVersion } from '#lib/server/runtime/version.ts'
import { readState, release, releaseFaults, repositoryOf, stampVersion, type ReleaseState } from './release.ts'

const ready: ReleaseState = {
  changes: '',
  versions: { '.': '1.2.0-dev', 'packages/embed': '1.2.0-dev', 'packages/server': '1.2.0-dev' },
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-22\n\n- New.\n\n## [1.1.0]\n\n- Old.\n',
}

test('a clean tree with one version and its section of the changelog can be released', () => {
  expect(releaseFaults(ready)).toEqual([])
})

test.each([
  ['a version without -dev', { versions: { '.': '1.2.0' } }, /^1\.2\.0 is not a version in development/],
  ['a changed file', { changes: ' M server.ts\n?? new.ts\n' }, /not clean:\n M server.ts\n\?\? new.ts$/],
  [
    'a package with another version',
    { versions: { ...ready.versions, 'packages/embed': '1.1.0' } },
    /packages\/embed is/,
  ],
  [
    'no changelog section of this version',
    { changelog: ready.changelog.replace('[1.2.0]', '[1.2.1]') },
    /no section \[1\.2\.0\]/,
  ],
  [
    'entries under [Unreleased]',
    { changelog: ready.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- Late.\n') },
    /move them/,
  ],
])('%s stops a release', (_name, change, fault) => {
  expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringMatching(fault)])
})

test('every file that names an artifact has the version of package.json', () => {
  const NAMED =
    /(?<=cashier-(?:embed|server|testing)-)\d\S*?(?=\.tgz)|(?<=image: \S+\/cashier:)\S+|(?<=image\.version=)\S+/g
  const files = execFileSync('git', ['ls-files', '*.json', '*.md', '*.yaml', 'Dockerfile'], { encoding: 'utf8' })
  const named = files
    .trim()
    .split('\n')
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, 'utf8').match(NAMED) ?? [])
  expect(new Set(named)).toEqual(new Set([readVersion().version]))
  // The example's package, the manifest's image, the image's label.
  expect(named.length).toBeGreaterThan(2)
  expect(releaseFaults({ ...readState(), changes: '' })).toEqual([])
})

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'release-'))
  vi.spyOn(console, 'log').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(parent, { recursive: true })
})

/** The steps of a release of this state, with its exit code. */
async function steps(state: ReleaseState, folder = join(parent, 'new')): Promise<readonly unknown[]> {
  const done: string[] = []
  const code = await release(folder, {
    readState: () => state,
    run: (script) => void done.push(script),
    write: async (to) => {
      done.push('write')
      mkdirSync(to)
      writeFileSync(join(to, 'SHA256SUMS'), '')
    },
  })
  return [...done, code]
}

test('a release always makes a new build', async () => {
  expect(await steps(ready)).toEqual(['audit:deps', 'build', 'write', 0])
})

test('a state with faults is not built, and a folder with files is not written to', async () => {
  expect(await steps({ ...ready, changes: ' M server.ts\n' })).toEqual([1])
  writeFileSync(join(parent, 'old'), '')
  expect(await steps(ready, parent)).toEqual([2])
})

test.each([
  ['https://github.com/shop/cashier.git', 'https://github.com/shop/cashier'],
  ['git@git.shop.example:pay/cashier.git', 'https://git.shop.example/pay/cashier'],
  ['https://token@github.com/shop/cashier', 'https://github.com/shop/cashier'],
  ['/srv/git/cashier.git', null],
  ['', null],
])('the repository of %j is %j, without a password', (origin, url) => {
  expect(repositoryOf(origin)).toBe(url)
})

test('released files name the released version instead of the version in development', () => {
  const files = {
    'package.json': '{"version":"1.2.0-dev"}',
    'docs/embedding.md': 'cashier-embed-1.2.0-dev.tgz and left-pad 1.2.0',
    'ops/cashier.yaml': 'image: cashier:1.2.0-dev',
    Dockerfile: 'LABEL version=1.2.0-dev',
    'app/openapi.json/route.ts': '// 1.2.0-dev',
    'node_modules/other/package.json': '{"version":"1.2.0-dev"}',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(parent, file)), { recursive: true })
    writeFileSync(join(parent, file), text)
  }
  stampVersion(parent, '1.2.0-dev', '1.2.0')
  const after = Object.keys(files).map((file) => [file, readFileSync(join(parent, file), 'utf8')])
  expect(Object.fromEntries(after)).toEqual({
    'package.json': '{"version":"1.2.0"}',
    'docs/embedding.md': 'cashier-embed-1.2.0.tgz and left-pad 1.2.0',
    'ops/cashier.yaml': 'image: cashier:1.2.0',
    Dockerfile: 'LABEL version=1.2.0',
    'app/openapi.json/route.ts': '// 1.2.0-dev',
    'node_modules/other/package.json': '{"version":"1.2.0-dev"}',
  })
})
