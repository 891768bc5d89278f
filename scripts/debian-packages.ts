/** Commands of this machine, and the Debian packages that install them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProgram } from './run-program.ts'

/** The path of a command, as a shell would find it. */
export function findCommand(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export const isCommand = (name: string): boolean => findCommand(name) !== undefined

/**
 * Installs packages if this process is root. It first prints what it installs, or that it cannot. `downloadS`: the time
 * limit of a download in seconds.
 */
export async function installPackages(packages: readonly string[], downloadS: number): Promise<void> {
  if (process.getuid?.() !== 0 || !isCommand('apt-get') || !isCommand('timeout')) {
    console.log(`Not installed, and only root can install it here, with apt-get: ${packages.join(' ')}`)
    return
  }
  console.log(`Installing Debian's packages: ${packages.join(' ')}`)
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  const get = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  const steps = [
    ['timeout', String(downloadS), 'apt-get', 'update', '-qq'],
    // Only the download has a time limit: an interrupted installation would leave half a package.
    ['timeout', String(downloadS), 'apt-get', ...get, '--download-only'],
    ['apt-get', ...get, '--no-download'],
  ] as const
  for (const [command, ...args] of steps) if ((await runProgram(command, args, quiet)) !== 0) return
}
