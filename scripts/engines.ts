/** Finds the browser engines beside Chromium, or installs Debian's packages of them. */
import { installPackages, isCommand } from './debian-packages.ts'

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

const isHere = (engine: Engine): boolean => ENGINE_PARTS[engine].commands.every(isCommand)

/** Installs what is missing, where that is possible; the rest is named. */
export async function findEngines(): Promise<Engines> {
  const absent = ALL.filter((engine) => !isHere(engine))
  if (absent.length > 0)
    await installPackages([...new Set(absent.flatMap((engine) => ENGINE_PARTS[engine].packages))], DOWNLOAD_S)
  const missing = ALL.filter((engine) => !isHere(engine))
  for (const engine of missing) console.log(`skipped: ${engine}, which is not installed`)
  return { found: ALL.filter(isHere), missing }
}
