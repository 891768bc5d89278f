/** Finds a Chromium for the browser tests, or installs one. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { findCommand, installPackages, isCommand } from './debian-packages.ts'
import { runProgram } from './run-program.ts'

/** The same engine without browser windows: a test takes about 40 % less processor time in it. */
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

/** Long, because no browser test can run without a Chromium. */
const DOWNLOAD_S = 900
/** The shell beside a whole Chromium: a slow network must not delay the tests for longer. */
const SHELL_DOWNLOAD_S = 120

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

/** The path of a whole Chromium that starts; installs one if there is none. @throws when the installation fails */
export const findChromium = (): Promise<string> => findOrInstall(COMMANDS, 'chromium')

/**
 * The path of Chromium's headless shell, which is installed if it can be; else of any Chromium: a few tests fail in a
 * whole one. `CHROMIUM_PATH` goes before both. @throws when there is no Chromium, and none can be installed
 */
export async function findHeadlessChromium(): Promise<string> {
  const isChosen = Boolean(process.env['CHROMIUM_PATH'])
  if (!isChosen && !isCommand(HEADLESS_SHELL) && installed(COMMANDS) !== undefined)
    await installPackages([HEADLESS_SHELL], SHELL_DOWNLOAD_S)
  return findOrInstall([HEADLESS_SHELL, ...COMMANDS], HEADLESS_SHELL)
}

/** Finds or installs both, so that `npm test` does it before its first test. If that fails, it prints the reason. */
export async function installChromium(): Promise<void> {
  try {
    await findHeadlessChromium()
    await findChromium()
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
  }
}

/** The paths that `test:browser` found; for a test that is run by itself, the usual paths. */
export const chromiumPath = (): string => process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
export const headlessChromiumPath = (): string =>
  process.env['HEADLESS_CHROMIUM_PATH'] ?? process.env['CHROMIUM_PATH'] ?? findCommand(HEADLESS_SHELL) ?? chromiumPath()

/** The browser sends no requests of its own. */
export const chromiumArgs: readonly string[] = [
  ...(root ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]
