/** Runs one command of the program: `cashier COMMAND …`, and the scripts of package.json. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM_COMMANDS, isCommandName, type ProgramCommand } from './commands.ts'
import { argumentFault, asksForHelp, commandHelp, programHelp } from './help.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const MISUSE = 2

/** Ends the process, so that no command runs. */
function leave(text: string, exitCode: number): never {
  ;(exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`)
  process.exit(exitCode)
}

const [name = '', ...args] = process.argv.slice(2)
if (name === '--help' || name === '-h' || name === 'help') leave(programHelp(), 0)
if (name === '') leave(programHelp(), MISUSE)
// npm's scripts have names such as check:ledger.
const found = name === '--version' || name === '-v' ? 'version' : name.replace(':', '-')
if (!isCommandName(found))
  leave(
    `cashier has no ${found.startsWith('-') ? 'option' : 'command'} "${found}". Commands: ${Object.keys(PROGRAM_COMMANDS).join(', ')}`,
    MISUSE,
  )
const { module, misuse, readsArguments }: ProgramCommand = PROGRAM_COMMANDS[found]
if (readsArguments !== true && asksForHelp(args)) leave(commandHelp(found), 0)
const fault = argumentFault(found, args)
if (fault !== null) leave(fault, misuse)

const path = join(PROJECT, module)
if (!existsSync(path)) leave(`This bundle has no ${found}: the package of the program has it.`, MISUSE)
process.argv = [process.argv[0] ?? process.execPath, path, ...args]
await import(pathToFileURL(path).href)
