/** Finds a Chromium for the browser tests, or installs one. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { runProgram } from './run-program.ts'

const knownPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

function canStart(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const root = process.getuid?.() === 0

function installed(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...knownPaths, chromium.executablePath()].find(
    (path) => path !== '' && existsSync(path) && canStart(path),
  )
}

async function installFromDebian(): Promise<void> {
  if (!root || !existsSync('/usr/bin/apt-get')) return
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await runProgram('apt-get', ['update', '-qq'], quiet)
  if (updated === 0) await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
}

async function download(): Promise<void> {
  await runProgram('playwright', ['install', ...(root ? ['--with-deps'] : []), 'chromium'])
}

/**
 * The path of a Chromium that starts: an installed one, else Debian's package (as root), else Playwright's download.
 * @throws when none of them works
 */
export async function findChromium(): Promise<string> {
  for (const install of [installFromDebian, download]) {
    const found = installed()
    if (found !== undefined) return found
    await install()
  }
  const found = installed()
  if (found === undefined) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH.')
  return found
}

/** The browser sends nothing but what the tests ask for. */
export const chromiumArgs: readonly string[] = [
  ...(root ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]
