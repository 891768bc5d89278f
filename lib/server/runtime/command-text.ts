/** How a person starts a command of the program here: with npm in a clone, else with `cashier`. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '../../..')

/** True in a clone. A bundle and an installed package have no lock file. */
export const isClone = existsSync(join(PROJECT, 'package-lock.json'))

/** The name of a command among the scripts of package.json. */
export const scriptOf = (command: string): string => command.replace(/^check-/, 'check:')

/** `-s`: npm prints nothing besides the secret. */
const NPM: Readonly<Record<string, string>> = { start: 'npm start', secret: 'npm run -s secret' }

/** The line that starts a command with these arguments. */
export function commandText(command: string, args = '', inClone = isClone): string {
  const script = scriptOf(command)
  const start = inClone ? (NPM[command] ?? `npm run ${script}`) : `cashier ${command}`
  return [start, ...(args === '' ? [] : [inClone ? `-- ${args}` : args])].join(' ')
}
