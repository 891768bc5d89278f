/** Finds the browser engines, or installs Debian's packages of them. */
import type { EngineName } from '../e2e/engines/engine.ts'
import { installPackages, isCommand } from './debian-packages.ts'

/** The commands that drive each engine, and the packages that have them. */
const ENGINE_PARTS = {
  // The browser itself is found by chromium.ts.
  chromium: { commands: ['openssl'], packages: ['openssl'] },
  firefox: { commands: ['firefox-esr', 'openssl'], packages: ['firefox-esr', 'openssl'] },
  webkit: {
    commands: ['WebKitWebDriver', 'Xvfb', 'openssl'],
    packages: ['webkit2gtk-driver', 'xvfb', 'openssl'],
  },
} as const

type Engine = keyof typeof ENGINE_PARTS

/** Of those that differ by their settings alone. */
export const engineOf = (name: EngineName): Engine =>
  name === 'chromium' ? name : name.startsWith('webkit') ? 'webkit' : 'firefox'

export interface Engines {
  readonly found: readonly Engine[]
  readonly missing: readonly Engine[]
}

/** A slow network must not hold up the tests for longer. */
const DOWNLOAD_S = 120

const isHere = (engine: Engine): boolean => ENGINE_PARTS[engine].commands.every(isCommand)

/** Installs what is missing of these, by default all beside Chromium, where that is possible; the rest is named. */
export async function findEngines(wanted: readonly Engine[] = ['firefox', 'webkit']): Promise<Engines> {
  const engines = [...new Set(wanted)]
  const absent = engines.filter((engine) => !isHere(engine))
  if (absent.length > 0)
    await installPackages([...new Set(absent.flatMap((engine) => ENGINE_PARTS[engine].packages))], DOWNLOAD_S)
  const missing = engines.filter((engine) => !isHere(engine))
  for (const engine of missing) console.log(`skipped: ${engine}, which is not installed`)
  return { found: engines.filter(isHere), missing }
}
