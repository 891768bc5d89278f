/** The sandbox's program: without a command it starts the gateway, with one it drives a gateway that runs. */
import { UsageError, commandHelp, listOfCommands, readCommandLine } from './commands/command.ts'
import type { Command } from './commands/command.ts'
import { ControlRefusal, SandboxAwayError } from './commands/control-client.ts'
import { conformanceCommand } from './commands/conformance.ts'
import { listenCommand } from './commands/listen.ts'
import { playCommand } from './commands/play.ts'
import { triggerCommand } from './commands/trigger.ts'
import { ListenError } from './http/listen.ts'
import { serve } from './serve.ts'
import { helpText } from './settings/flags.ts'
import { SettingsError } from './settings/read-settings.ts'

const OLDEST_NODE = 24

const COMMANDS: readonly Command[] = [listenCommand, triggerCommand, playCommand, conformanceCommand]

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

const fullHelp = (): string =>
  [helpText(), '', 'Commands, each with --help:', '', ...listOfCommands(COMMANDS)].join('\n')

/** Without a command the gateway starts. */
async function main([first = '', ...args]: readonly string[]): Promise<void> {
  if (first === '' || first.startsWith('-')) {
    await serve(first === '' ? [] : [first, ...args], fullHelp)
    return
  }
  const command = COMMANDS.find(({ name }) => name === first)
  if (!command) {
    const names = COMMANDS.map(({ name }) => name).join(', ')
    throw new UsageError(`${first} is no command: the commands are ${names}; without one the gateway starts`)
  }
  const given = readCommandLine(command, args)
  if (given === 'help') print(commandHelp(command))
  else process.exitCode = await command.run(given, print)
}

function errorLines(error: unknown): readonly string[] {
  if (error instanceof SettingsError)
    return ['sandbox: these settings cannot be used', ...error.faults.map((fault) => `  - ${fault}`)]
  if (error instanceof ListenError)
    return [`sandbox: ${error.message}`, 'SANDBOX_PORT or --port sets another port; 0 takes a free port']
  if (error instanceof UsageError) return [`sandbox: ${error.message}`, '--help lists the options']
  if (error instanceof ControlRefusal || error instanceof SandboxAwayError) return [`sandbox: ${error.message}`]
  if (error instanceof TypeError && 'code' in error) return [`sandbox: ${error.message}`, '--help lists the flags']
  return [`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
}

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  printError(`sandbox: Node ${process.version} is too old; npm run uses the Node version that npm ci installs`)
  process.exit(1)
}
try {
  await main(process.argv.slice(2))
} catch (error) {
  for (const line of errorLines(error)) printError(line)
  process.exitCode = 1
}
