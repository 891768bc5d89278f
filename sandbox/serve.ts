import { readGivenSettings } from './settings/flags.ts'
import { readSettings } from './settings/read-settings.ts'
import { startMessage } from './settings/start-message.ts'
import { startSandbox } from './start-sandbox.ts'
import { whenParentEnds } from './when-parent-ends.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

/** Starts the gateway until a signal ends it. @param help the text of `--help` */
export async function serve(args: readonly string[], help: () => string): Promise<void> {
  const given = readGivenSettings(args, process.env)
  if (given.help) {
    print(help())
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
