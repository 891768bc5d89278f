import { existsSync, readFileSync } from 'node:fs'
import { commandText } from '../command-text.ts'
import { readConfig, type ConfigFault, type ConfigRead, type Environment } from './config.ts'
import { readEnvFile } from './env-file.ts'
import { misspeltNames } from './misspelt-names.ts'

const FILE = '.env'

/**
 * Adds the variables of `.env`, if it exists, to the environment, which wins. Returns the whole values of those that it
 * cuts off.
 */
export function loadEnvFile(): Environment {
  const { values, cut } = readEnvFile(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '')
  const added = Object.keys(values).filter((name) => process.env[name] === undefined)
  for (const name of added) process.env[name] = values[name]
  return Object.fromEntries(Object.entries(cut).filter(([name]) => added.includes(name)))
}

/** The settings of this process. */
export function readEnvironment(): ConfigRead {
  const cut = loadEnvFile()
  return readConfig(process.env, (path) => readFileSync(path, 'utf8'), cut)
}

/** The names of this process's variables; those of `.env` too, once it was read. */
export const environmentNames = (): readonly string[] => Object.keys(process.env)

/** React and Next choose their builds by `NODE_ENV`, so it must be set before they are loaded. */
export const setNodeEnvironment = (mode: 'production' | 'development'): void => {
  Object.assign(process.env, { NODE_ENV: mode })
}

/** True if `npm start` started the process: its shell passes no signal on, so the end of the parent means stop. */
export const startedByNpm = (): boolean => process.env['npm_lifecycle_event'] === 'start'

/** What to do if there are no settings at all; null if there are some. The folder may be another one than was meant. */
export const noSettingsText = (): string | null =>
  existsSync(FILE) || process.env['GATEWAY_BASE_URL'] !== undefined
    ? null
    : `There is no .env in ${process.cwd()}: \`${commandText('init')}\` writes one.`

/** All faults, as lines for a terminal. */
export function faultsText(faults: readonly ConfigFault[]): string {
  const missing = noSettingsText()
  return [
    `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`,
    ...faults.map(({ variable, fault }) => `  ${variable} ${fault}`),
    ...misspeltNames(environmentNames()).map(({ message }) => message),
    ...(missing === null ? [] : [missing]),
    `docs/reference/environment.md describes every variable; \`${commandText('doctor')}\` tests them in use.`,
    '',
  ].join('\n')
}
