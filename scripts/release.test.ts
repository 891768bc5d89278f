import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { release, releaseFaults, type ReleaseState } from './release.ts'

const ready: ReleaseState = {
  changes: '',
  versions: { '.': '1.2.0', 'packages/embed': '1.2.0', 'packages/server': '1.2.0' },
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-22\n\n- New.\n\n## [1.1.0]\n\n- Old.\n',
}

test('a clean tree with one version and its section of the changelog can be released', () => {
  expect(releaseFaults(ready)).toEqual([])
})

test.each([
  ['a changed file', { changes: ' M server.ts\n?? new.ts\n' }, /not clean:\n M server.ts\n\?\? new.ts$/],
  [
    'another version of a package',
    { versions: { ...ready.versions, 'packages/embed': '1.1.0' } },
    /packages\/embed is/,
  ],
  [
    'no section of this version',
    { changelog: ready.changelog.replace('[1.2.0]', '[1.2.1]') },
    /no section \[1\.2\.0\]/,
  ],
  [
    'entries that were not moved',
    { changelog: ready.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- Late.\n') },
    /move them/,
  ],
])('%s stops a release', (_name, change, fault) => {
  expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringMatching(fault)])
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

/** What a release of this state does, with its exit code. */
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

test('a release is of a build of its own, whatever the last one looks like', async () => {
  expect(await steps(ready)).toEqual(['audit:deps', 'build', 'write', 0])
})

test('what must not be released is not built, nor written into a folder that has files', async () => {
  expect(await steps({ ...ready, changes: ' M server.ts\n' })).toEqual([1])
  writeFileSync(join(parent, 'old'), '')
  expect(await steps(ready, parent)).toEqual([2])
})
