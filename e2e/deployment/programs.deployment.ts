/**
 * Tests the programs' tarballs as npx runs them: unpacked below `node_modules`, outside the repository, started by the
 * machine's own Node. The packages with Node, which npm would download, are links to ours. Uses the current build, or
 * makes one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVersion } from '#lib/server/runtime/version.ts'
import { buildIsFresh } from '../../scripts/build-age.ts'
import { freePort } from '../../scripts/free-port.ts'
import { packProgram } from '../../scripts/program-packages.ts'
import { startSupervised } from '../../scripts/supervised-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'cashier-programs-'))
const modules = join(folder, 'node_modules')
const place = join(folder, 'somewhere else')
const CASHIER = join(modules, 'crypto-cashier/program/scripts/cashier.mjs')
const SANDBOX = join(modules, 'crypto-cashier-sandbox/program/scripts/sandbox.mjs')
/** A Node of the machine, such as Node 20; ours if there is no other. */
const outside = (process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'))
const node = outside.map((one) => join(one, 'node')).find((path) => existsSync(path)) ?? process.execPath
const env = { PATH: outside.join(':'), HOME: folder, NODE_ENV: 'development' } as const
const MINUTES = 60_000

beforeAll(async () => {
  if (!buildIsFresh(resolve('.'))) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' })
  mkdirSync(place, { recursive: true })
  for (const [file, name] of [
    ['cashier', 'crypto-cashier'],
    ['cashier-sandbox', 'crypto-cashier-sandbox'],
  ] as const) {
    const tarball = await packProgram(file, folder)
    expect(basename(tarball)).toBe(`${file}-${readVersion().version}.tgz`)
    mkdirSync(join(modules, name), { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', join(modules, name), '--strip-components=1'])
  }
  const bin = join(modules, `node-${process.platform}-${process.arch}/bin`)
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(bin, 'node'))
}, 10 * MINUTES)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => spawnSync(node, args, { cwd: place, env, encoding: 'utf8' })
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

test('the program without Node is at most 60 MB, and brings its packages, not their types', () => {
  const files = readdirSync(join(modules, 'crypto-cashier'), { recursive: true, withFileTypes: true })
  const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const bytes = paths.map((path) => statSync(path).size).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThanOrEqual(60_000_000)
  expect(bytes).toBeGreaterThan(20_000_000)
  expect(paths.filter((path) => /\/program\/node_modules\/.*\.d\.ts$/.test(path))).toEqual([])
})

test('commands work: version, help, a wrong command, and init', () => {
  expect(run(CASHIER, 'version').stdout).toContain(`cashier ${readVersion().version}`)
  expect(run(CASHIER, 'doctor', '--help').stdout).toContain('\ncashier doctor [--backup')
  const wrong = run(CASHIER, 'strat')
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('Commands: start, demo')])
  const asked = run(CASHIER, 'init')
  expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining('--public-url is missing')])
  const started = run(CASHIER, 'start')
  expect([started.status, started.stderr]).toEqual([1, expect.stringContaining('GATEWAY_API_KEY')])
})

test(
  'the demo shows a shop, a cashier and a sandbox, and a signal stops them',
  async () => {
    const offset = (await freePort()) - 4010
    const args = [CASHIER, 'demo', '--port-offset', String(offset)]
    const demo = await startSupervised({ command: node, args, env, cwd: place, ready: /The shop.*(http:\S+)/ })
    try {
      const url = (what: RegExp) => what.exec(demo.output())?.[1] ?? ''
      const shop = url(/The shop, .*? (http:\S+)/)
      expect(await (await fetch(shop)).text()).toContain('<script')
      const sandbox = url(/(http:\S+)\/control/)
      const cashier = url(/The cashier .*? (http:\S+)/)
      const pages = [`${shop}/shop.js`, `${sandbox}/control`, `${sandbox}/assets/control.js`, `${cashier}/embed.js`]
      expect(await Promise.all(pages.map(statusOf))).toEqual(pages.map(() => 200))
      expect(readdirSync(place)).toContain('.demo')
    } finally {
      expect(await demo.stop()).toBe(0)
    }
  },
  5 * MINUTES,
)

test('the sandbox alone answers, and a signal stops it', async () => {
  const port = await freePort()
  const args = [SANDBOX, '--port', String(port)]
  const sandbox = await startSupervised({ command: node, args, env, cwd: place, ready: /listening on/ })
  const pages = ['control', 'assets/control.js', 'assets/widget.js'].map((path) => `http://localhost:${port}/${path}`)
  expect(await Promise.all(pages.map(statusOf))).toEqual([200, 200, 200])
  expect(await sandbox.stop()).toBe(0)
})
