/** Finds a Chromium for the browser tests, or installs one. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { findCommand, installPackages } from './debian-packages.ts'
import { runProgram } from './run-program.ts'

/** The same engine without the windows of a browser: a test takes some 40 % less processor time in it. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function canStart(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Without one there are no browser tests. */
const DOWNLOAD_S = 900

const root = process.getuid?.() === 0

function installed(commands: readonly string[]): string | undefined {
  const found = commands.flatMap((name) => findCommand(name) ?? [])
  return [process.env['CHROMIUM_PATH'] ?? '', ...found, MAC, chromium.executablePath()].find(
    (path) => path !== '' && existsSync(path) && canStart(path),
  )
}

async function download(): Promise<void> {
  console.log('Downloading the Chromium of Playwright')
  await runProgram('playwright', ['install', ...(root ? ['--with-deps'] : []), 'chromium'])
}

/** The first of these commands that starts, else Debian's package of this name (as root), else Playwright's download. */
async function findOrInstall(commands: readonly string[], name: string): Promise<string> {
  for (const install of [() => installPackages([name], DOWNLOAD_S), download]) {
    const found = installed(commands)
    if (found !== undefined) return found
    await install()
  }
  const found = installed(commands)
  if (found === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.')
  return found
}

/**
 * The path of a Chromium that starts, as people use it; it is installed where there is none.
 * @throws when that does not work
 */
export const findChromium = (): Promise<string> => findOrInstall(COMMANDS, 'chromium')

/**
 * The headless shell of Chromium where there is one, else any Chromium; the shell is installed where there is none.
 * @throws when that does not work
 */
export const findHeadlessChromium = (): Promise<string> => findOrInstall([HEADLESS_SHELL, ...COMMANDS], HEADLESS_SHELL)

/** Finds or installs both, so that `npm test` does it before its first test. Says so where that does not work. */
export async function installChromium(): Promise<void> {
  try {
    await findHeadlessChromium()
    await findChromium()
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
  }
}

/** What `test:browser` found; without it, for a test that is run by itself, where they usually are. */
export const chromiumPath = (): string => process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
export const headlessChromiumPath = (): string =>
  process.env['HEADLESS_CHROMIUM_PATH'] ?? process.env['CHROMIUM_PATH'] ?? findCommand(HEADLESS_SHELL) ?? chromiumPath()

/** The browser sends nothing but what the tests ask for. */
export const chromiumArgs: readonly string[] = [
  ...(root ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]
