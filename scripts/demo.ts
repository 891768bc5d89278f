/** `npm run demo`: a sandbox gateway, a production cashier and a shop that embeds it, until Ctrl-C. */
import { mkdirSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildIsFresh } from './build-age.ts'
import { demoSecrets } from './demo-secrets.ts'
import { demoEnvironments, demoUrls } from './demo-settings.ts'
import { startKept, type KeptProcess } from './kept-process.ts'
import { nextFreePort } from './next-free-port.ts'
import { runProgram } from './run-program.ts'

const FOLDER = '.demo'
const HELP = `npm run demo -- [options]
  --fresh             forget the data, keys and secrets of earlier runs
  --merchant-decides  the shop is asked before each withdrawal, instead of the cashier's ledger
  --port-offset N     added to the usual ports 4010, 3000 and 4020`

const { values: flags } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    'merchant-decides': { type: 'boolean', default: false },
    'port-offset': { type: 'string', default: '0' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (flags.help) {
  console.log(HELP)
  process.exit(0)
}

process.chdir(new URL('..', import.meta.url).pathname)
if (flags.fresh) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })

if (!buildIsFresh('.')) {
  console.log('Building the cashier. This takes a minute, and only when something has changed.')
  const code = await runProgram(process.execPath, ['scripts/build.ts'])
  if (code !== 0) process.exit(code)
}

const offset = Number.parseInt(flags['port-offset'], 10)
const ports = {
  sandbox: await nextFreePort(4010 + offset),
  cashier: await nextFreePort(3000 + offset),
  merchant: await nextFreePort(4020 + offset),
}
const environments = demoEnvironments({
  ports,
  secrets: demoSecrets(FOLDER),
  folder: FOLDER,
  merchantDecides: flags['merchant-decides'],
})

/** In the order of their needs; they are stopped the other way round. */
const PROGRAMS = [
  { name: 'sandbox', args: ['e2e/sandbox/main.ts'] },
  { name: 'cashier', args: ['--conditions=react-server', 'server.ts'] },
  { name: 'merchant', args: ['e2e/merchant/main.ts'] },
] as const
const running: { readonly name: string; readonly kept: KeptProcess }[] = []

const state = { stopping: false }
async function stopAll(code: number): Promise<never> {
  if (!state.stopping) {
    state.stopping = true
    for (const { kept } of running.reverse()) await kept.stop()
    if (running.length > 0) console.log('All have stopped.')
    process.exit(code)
  }
  return new Promise(() => undefined)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0))

for (const { name, args } of PROGRAMS) {
  const env = { ...process.env, NODE_ENV: 'production', ...environments[name] } as const
  try {
    const kept = await startKept({ command: process.execPath, args, env, ready: /listening on (https?:\S+)/ })
    running.push({ name, kept })
    void kept.exited.then(async (code) => {
      if (state.stopping) return
      console.error(`\nThe ${name} has ended by itself (exit code ${code}). Its last words:\n`)
      console.error(kept.output().split('\n').slice(-25).join('\n'))
      await stopAll(1)
    })
  } catch (error) {
    if (!state.stopping)
      console.error(`\nThe ${name} did not start. ${error instanceof Error ? error.message : String(error)}`)
    await stopAll(1)
  }
}

const url = demoUrls(ports)
console.log(`
  The shop, with the cashier in it   ${url.merchant}
  The sandbox, to play blockchain    ${url.sandbox}/control
  The cashier itself                 ${url.cashier}

Ask for a deposit address in the shop, then detect and confirm a deposit in the sandbox, and watch it arrive.
Data, keys and secrets are in ${FOLDER}/. Ctrl-C stops everything.
`)
