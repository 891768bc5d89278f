/** Finds the browser engines beside Chromium, or installs Debian's packages of them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProgram } from './run-program.ts'

/** The commands that drive each engine, and the packages that have them. */
const ENGINE_PARTS = {
  firefox: { commands: ['firefox-esr', 'openssl'], packages: ['firefox-esr', 'openssl'] },
  webkit: {
    commands: ['WebKitWebDriver', 'Xvfb', 'openssl'],
    packages: ['webkit2gtk-driver', 'xvfb', 'openssl'],
  },
} as const

type Engine = keyof typeof ENGINE_PARTS
const ALL = Object.keys(ENGINE_PARTS) as readonly Engine[]

export interface Engines {
  readonly found: readonly Engine[]
  readonly missing: readonly Engine[]
}

/** A slow network must not hold up the tests for longer. */
const DOWNLOAD_S = 120

function isCommand(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const isHere = (engine: Engine): boolean => ENGINE_PARTS[engine].commands.every(isCommand)

async function install(engines: readonly Engine[]): Promise<void> {
  const packages = [...new Set(engines.flatMap((engine) => ENGINE_PARTS[engine].packages))]
  if (process.getuid?.() !== 0 || !isCommand('apt-get') || !isCommand('timeout')) {
    console.log(`Not installed, and only root can install it here: ${packages.join(' ')}`)
    return
  }
  console.log(`Installing Debian's packages ${packages.join(' ')}`)
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  const get = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  const steps = [
    ['timeout', String(DOWNLOAD_S), 'apt-get', 'update', '-qq'],
    // Only the download may be cut off: an interrupted installation would leave half a package.
    ['timeout', String(DOWNLOAD_S), 'apt-get', ...get, '--download-only'],
    ['apt-get', ...get, '--no-download'],
  ] as const
  for (const [command, ...args] of steps) if ((await runProgram(command, args, quiet)) !== 0) return
}

/** Installs what is missing, where that is possible; the rest is named. */
export async function findEngines(): Promise<Engines> {
  const absent = ALL.filter((engine) => !isHere(engine))
  if (absent.length > 0) await install(absent)
  const missing = ALL.filter((engine) => !isHere(engine))
  for (const engine of missing) console.log(`skipped: ${engine}, which is not installed`)
  return { found: ALL.filter(isHere), missing }
}
