import { ListenFault } from './http/listen.ts'
import { helpText, readGiven } from './settings/flags.ts'
import { SettingsFault, readSettings } from './settings/read-settings.ts'
import { startMessage } from './settings/start-message.ts'
import { startSandbox } from './start-sandbox.ts'

const OLDEST_NODE = 24

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const complain = (line: string): void => void process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const given = readGiven(process.argv.slice(2), process.env)
  if (given.help) {
    say(helpText())
    return
  }
  const settings = readSettings(given, process.env['NODE_ENV'])
  const sandbox = await startSandbox({ ...settings.options, log: complain })
  say(startMessage(settings, sandbox).join('\n'))

  const stop = (): void => {
    say('sandbox: stopping')
    void sandbox.close().then(() => {
      process.exit(0)
    })
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function explain(error: unknown): readonly string[] {
  if (error instanceof SettingsFault)
    return ['sandbox: these settings cannot be used', ...error.faults.map((fault) => `  - ${fault}`)]
  if (error instanceof ListenFault)
    return [`sandbox: ${error.message}`, 'SANDBOX_PORT or --port chooses another; 0 takes a free one']
  if (error instanceof TypeError && 'code' in error) return [`sandbox: ${error.message}`, '--help lists the flags']
  return [`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
}

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  complain(`sandbox: Node ${process.version} is too old; npm run uses the one that npm ci brought`)
  process.exit(1)
}
try {
  await main()
} catch (error) {
  for (const line of explain(error)) complain(line)
  process.exitCode = 1
}
