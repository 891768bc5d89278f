import { expect, test } from 'vitest'
import { releaseFaults, type ReleaseState } from './release.ts'

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
])('%s stops a release', (_, change, fault) => {
  expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringMatching(fault)])
})
