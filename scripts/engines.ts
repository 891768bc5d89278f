/** Finds the browser engines, or installs their Debian packages. */
import type { EngineName } from '../e2e/engines/engine.ts'
import { installPackages, isCommand } from './debian-packages.ts'

/** The commands that the tests of each engine need, and the packages that have them. */
const ENGINE_PARTS = {
  // chromium.ts finds the browser itself.
  chromium: { commands: ['openssl'], packages: ['openssl'] },
  firefox: { commands: ['firefox-esr', 'openssl'], packages: ['firefox-esr', 'openssl'] },
  webkit: {
    commands: ['WebKitWebDriver', 'Xvfb', 'openssl'],
    packages: ['webkit2gtk-driver', 'xvfb', 'openssl'],
  },
} as const

type Engine = keyof typeof ENGINE_PARTS

/** The engine of a project; some projects differ only in their settings. */
export const engineOf = (name: EngineName): Engine =>
  name === 'chromium' ? name : name.startsWith('webkit') ? 'webkit' : 'firefox'

export interface Engines {
  readonly found: readonly Engine[]
  readonly missing: readonly Engine[]
}

/** A slow network must not delay the tests for longer. */
const DOWNLOAD_S = 120

const isHere = (engine: Engine): boolean => ENGINE_PARTS[engine].commands.every(isCommand)

/** Installs missing engines if it can, by default all but Chromium, and prints those that are still missing. */
export async function findEngines(wanted: readonly Engine[] = ['firefox', 'webkit']): Promise<Engines> {
  const engines = [...new Set(wanted)]
  const absent = engines.filter((engine) => !isHere(engine))
  if (absent.length > 0)
    await installPackages([...new Set(absent.flatMap((engine) => ENGINE_PARTS[engine].packages))], DOWNLOAD_S)
  const missing = engines.filter((engine) => !isHere(engine))
  for (const engine of missing) console.log(`skipped: ${engine}, which is not installed`)
  return { found: engines.filter(isHere), missing }
}
