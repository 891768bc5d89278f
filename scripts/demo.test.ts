import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test.each([['--foo'], ['word'], ['--backend']])(
  'an unknown or incomplete option is named, with the usage: %s',
  (given) => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'demo.ts'), given], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toContain(given)
    expect(stderr).toContain('npm run demo -- [options]')
    expect(stderr).not.toContain('    at ')
  },
)
