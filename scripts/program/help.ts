/** What `--help` prints, and what is said about wrong arguments. */
import { parseArgs } from 'node:util'
import { commandText } from '#lib/server/runtime/command-text.ts'
import { PROGRAM_COMMANDS, type ProgramCommand, type ProgramCommandName, type CommandOption } from './commands.ts'

const HELP: CommandOption = { name: 'help', value: null, about: 'this text' }

/** Aligns the first column. */
function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}

const flagOf = ({ name, value }: CommandOption): string => (value === null ? `--${name}` : `--${name} ${value}`)

/** The lines that call the command, as a person types them here. */
export const usageLines = (name: ProgramCommandName): readonly string[] =>
  PROGRAM_COMMANDS[name].usage.map((args) => commandText(name, args))

/** For a person who gave wrong arguments. */
export const usageText = (name: ProgramCommandName): string => usageLines(name).join('\n')

export function programHelp(): string {
  const rows = Object.entries<ProgramCommand>(PROGRAM_COMMANDS).map(([name, { summary }]) => [name, summary] as const)
  return ['Usage: cashier COMMAND [options]', '', ...table(rows), '', 'cashier COMMAND --help says more.'].join('\n')
}

export function commandHelp(name: ProgramCommandName): string {
  const { summary, options, exitCodes }: ProgramCommand = PROGRAM_COMMANDS[name]
  return [
    `cashier ${name}: ${summary}.`,
    '',
    ...usageLines(name),
    '',
    ...table([...options, HELP].map((one) => [flagOf(one), one.about] as const)),
    '',
    'Exit codes:',
    ...table(Object.entries(exitCodes)),
  ].join('\n')
}

/** The fault of these arguments, with what is allowed; null if there is none. */
export function argumentFault(name: ProgramCommandName, args: readonly string[]): string | null {
  const { options, words, readsArguments }: ProgramCommand = PROGRAM_COMMANDS[name]
  if (readsArguments) return null
  const known = [...options, HELP].map((one) => `--${one.name}`).join(', ')
  const config = Object.fromEntries(
    [...options, HELP].map((one) => [one.name, { type: one.value === null ? 'boolean' : 'string' } as const]),
  )
  try {
    const { positionals } = parseArgs({ args: [...args], options: config, allowPositionals: true })
    const [extra] = positionals.slice(words)
    return extra === undefined ? null : `cashier ${name} does not take "${extra}".\n\n${usageText(name)}`
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    return `cashier ${name}: ${reason}. Allowed: ${known}\n\n${usageText(name)}`
  }
}

/** Whether the arguments ask for help; after `--` they are words. */
export const asksForHelp = (args: readonly string[]): boolean =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).some((one) => one === '--help' || one === '-h')
