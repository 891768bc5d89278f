/** How `npm test` installs browsers on machines without browsers. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let machine: string
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'machine-'))
  mkdirSync(join(machine, 'bin'))
})
afterEach(() => rmSync(machine, { recursive: true }))

function command(name: string, script: string): void {
  const path = join(machine, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** A double of apt-get: it prints its arguments, and an installation adds these commands. */
function withPackageManager(brings: readonly string[]): void {
  const paths = brings.map((name) => join(machine, 'bin', name))
  const bring = paths.map((path) => `printf '#!/bin/sh\\n' > ${path}; /bin/chmod +x ${path}`).join('; ')
  command('timeout', 'shift; exec "$@"')
  command('apt-get', `echo "apt-get $*"; case "$*" in *--no-download) ${bring};; esac`)
}

/** Runs code with a module of `scripts` as `m`, as the user of this id. Returns the printed lines. */
function run(module: string, code: string, userId: number): readonly string[] {
  const url = new URL(`file://${resolve('scripts', module)}`).href
  const script = `process.getuid = () => ${userId}; const m = await import(${JSON.stringify(url)}); ${code}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: {
      PATH: join(machine, 'bin'),
      HOME: machine,
      PLAYWRIGHT_BROWSERS_PATH: join(machine, 'none'),
      NODE_ENV: 'test',
    },
  })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

const PACKAGES = 'firefox-esr openssl webkit2gtk-driver xvfb'
const findEngines = 'console.log("found:", (await m.findEngines()).found.join(" ") || "none")'

test('without the other engines, root is told what will be installed before the installation', () => {
  withPackageManager(['firefox-esr', 'openssl', 'WebKitWebDriver', 'Xvfb'])
  expect(run('engines.ts', findEngines, 0)).toEqual([
    `Installing Debian's packages: ${PACKAGES}`,
    'apt-get update -qq',
    `apt-get install -y -qq --no-install-recommends ${PACKAGES} --download-only`,
    `apt-get install -y -qq --no-install-recommends ${PACKAGES} --no-download`,
    'found: firefox webkit',
  ])
  expect(run('engines.ts', findEngines, 0)).toEqual(['found: firefox webkit'])
})

test.each([
  ['a user other than root', 1000, true],
  ['without apt-get', 0, false],
])('%s is told what to install, and which engines are skipped', (_name, userId, hasPackageManager) => {
  if (hasPackageManager) withPackageManager([])
  expect(run('engines.ts', findEngines, userId)).toEqual([
    `Not installed, and only root can install it here, with apt-get: ${PACKAGES}`,
    'skipped: firefox, which is not installed',
    'skipped: webkit, which is not installed',
    'found: none',
  ])
})

test('an engine whose packages cannot be installed is skipped', () => {
  command('timeout', 'shift; exec "$@"')
  command('apt-get', 'exit 100')
  expect(run('engines.ts', findEngines, 0).slice(1)).toEqual([
    'skipped: firefox, which is not installed',
    'skipped: webkit, which is not installed',
    'found: none',
  ])
})

test('without Chromium, root is told what will be installed before the installation, and nothing else is downloaded', () => {
  withPackageManager(['chromium', 'chromium-headless-shell'])
  command('playwright', 'echo "playwright $*"')
  const get = 'apt-get install -y -qq --no-install-recommends'
  expect(run('chromium.ts', 'await m.installChromium()', 0)).toEqual([
    "Installing Debian's packages: chromium-headless-shell",
    'apt-get update -qq',
    `${get} chromium-headless-shell --download-only`,
    `${get} chromium-headless-shell --no-download`,
  ])
})

const findHeadless = 'console.log("found:", await m.findHeadlessChromium())'

test('with a whole Chromium, root gets the headless shell besides', () => {
  withPackageManager(['chromium-headless-shell'])
  command('chromium', '')
  const get = 'apt-get install -y -qq --no-install-recommends chromium-headless-shell'
  const found = `found: ${join(machine, 'bin/chromium-headless-shell')}`
  expect(run('chromium.ts', findHeadless, 0)).toEqual([
    "Installing Debian's packages: chromium-headless-shell",
    'apt-get update -qq',
    `${get} --download-only`,
    `${get} --no-download`,
    found,
  ])
  expect(run('chromium.ts', findHeadless, 0)).toEqual([found])
})

test.each([
  ['a user other than root', 1000],
  ['root without packages', 0],
])('%s uses the whole Chromium if there is no headless shell', (_name, userId) => {
  command('timeout', 'shift; exec "$@"')
  command('apt-get', 'exit 100')
  command('chromium', '')
  expect(run('chromium.ts', findHeadless, userId)).toEqual([
    expect.stringContaining('chromium-headless-shell'),
    `found: ${join(machine, 'bin/chromium')}`,
  ])
})

test('a user other than root gets the Chromium of Playwright, or is told what to do', () => {
  withPackageManager([])
  command('playwright', 'echo "playwright $*"')
  expect(run('chromium.ts', 'await m.installChromium()', 1000)).toEqual([
    'Not installed, and only root can install it here, with apt-get: chromium-headless-shell',
    'Downloading the Chromium of Playwright',
    'playwright install chromium',
    'No Chromium was found. Install one, or set CHROMIUM_PATH.',
  ])
})

test('browsers are found or installed before the first stage of the tests', () => {
  const text = readFileSync('scripts/test.ts', 'utf8')
  const first = text.indexOf('await runStage(')
  for (const call of ['await installChromium()', 'await findEngines()']) {
    expect(text).toContain(call)
    expect(text.indexOf(call)).toBeLessThan(first)
  }
})
