import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEMO_LOCK, lockDemo } from './demo-lock.ts'

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

test('troubles of the ledger need the cashier’s ledger', () => {
  const args = [join(import.meta.dirname, 'demo.ts'), '--troubles', '--merchant-decides']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('exclude each other')])
})

test('a second demo, also with --fresh, does not start on the data of the first', () => {
  // False if a developer's demo holds the lock.
  lockDemo(join(import.meta.dirname, '..', DEMO_LOCK))
  for (const args of [[], ['--fresh'], ['--backend', 'http://127.0.0.1:8080']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'demo.ts'), ...args], {
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Another demo runs .* Stop it first/)])
  }
})

test('the lock of a demo that was killed is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-demo-lock-'))
  const file = join(folder, 'lock.db')
  const program = `import { lockDemo } from ${JSON.stringify(join(import.meta.dirname, 'demo-lock.ts'))}
    console.log(lockDemo(${JSON.stringify(file)})); setInterval(() => undefined, 1000)`
  const first = spawn(process.execPath, ['--input-type=module', '--eval', program])
  try {
    const [said] = (await once(first.stdout, 'data')) as [Buffer]
    expect([said.toString(), lockDemo(file)]).toEqual(['true\n', false])
  } finally {
    first.kill('SIGKILL')
    await once(first, 'exit')
  }
  expect(lockDemo(file)).toBe(true)
  rmSync(folder, { recursive: true })
})
