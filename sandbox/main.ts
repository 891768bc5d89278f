import { ListenError } from './http/listen.ts'
import { helpText, readGivenSettings } from './settings/flags.ts'
import { SettingsError, readSettings } from './settings/read-settings.ts'
import { startMessage } from './settings/start-message.ts'
import { startSandbox } from './start-sandbox.ts'
import { whenParentEnds } from './when-parent-ends.ts'

const OLDEST_NODE = 24

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const given = readGivenSettings(process.argv.slice(2), process.env)
  if (given.help) {
    print(helpText())
    return
  }
  const settings = readSettings(given, process.env['NODE_ENV'])
  let parentEnded = (): void => process.exit(0)
  if (process.env['npm_lifecycle_event'] === 'sandbox')
    whenParentEnds(() => {
      parentEnded()
    })
  const sandbox = await startSandbox({ ...settings.options, log: printError })
  print(startMessage(settings, sandbox).join('\n'))

  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    print('sandbox: stopping')
    void sandbox.close().then(() => {
      process.exit(0)
    })
  }
  parentEnded = stop
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function errorLines(error: unknown): readonly string[] {
  if (error instanceof SettingsError)
    return ['sandbox: these settings cannot be used', ...error.faults.map((fault) => `  - ${fault}`)]
  if (error instanceof ListenError)
    return [`sandbox: ${error.message}`, 'SANDBOX_PORT or --port sets another port; 0 takes a free port']
  if (error instanceof TypeError && 'code' in error) return [`sandbox: ${error.message}`, '--help lists the flags']
  return [`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
}

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  printError(`sandbox: Node ${process.version} is too old; npm run uses the Node version that npm ci installs`)
  process.exit(1)
}
try {
  await main()
} catch (error) {
  for (const line of errorLines(error)) printError(line)
  process.exitCode = 1
}
