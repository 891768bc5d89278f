/** `cashier demo`: runs a sandbox gateway, a production cashier and a shop that embeds it, until Ctrl-C. */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isClone } from '#lib/server/runtime/command-text.ts'
import { buildIsFresh } from './build-age.ts'
import { lockDemo } from './demo-lock.ts'
import { demoSecrets } from './demo-secrets.ts'
import { startDemoReceiver } from './demo-receiver.ts'
import { invitationOf, seedTroubles, TROUBLES_SETTINGS } from './demo-troubles.ts'
import { backendText, demoEnvironments, demoUrls } from './demo-settings.ts'
import { nextFreePort } from './free-port.ts'
import { commandHelp } from './program/help.ts'
import { startSupervised, type SupervisedProcess } from './supervised-process.ts'
import { runProgram } from './run-program.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const FOLDER = '.demo'
function readFlags() {
  try {
    return parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        'merchant-decides': { type: 'boolean', default: false },
        troubles: { type: 'boolean', default: false },
        backend: { type: 'string' },
        'port-offset': { type: 'string', default: '0' },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${commandHelp('demo')}`)
    process.exit(1)
  }
}

const flags = readFlags()
const backend = flags.backend?.replace(/\/$/, '')
if (backend !== undefined && (!URL.canParse(backend) || new URL(backend).origin !== backend)) {
  console.error('--backend is an origin, such as http://127.0.0.1:8080')
  process.exit(2)
}
if (flags.troubles && flags['merchant-decides']) {
  console.error('--troubles and --merchant-decides exclude each other: some of the troubles are of the ledger.')
  process.exit(2)
}

// An installed program writes its data where it was started.
if (isClone) process.chdir(PROJECT)
if (!lockDemo()) {
  console.error(`Another demo runs on the data in ${FOLDER}/. Stop it first (Ctrl-C in its terminal).`)
  process.exit(1)
}
if (flags.fresh) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true, mode: 0o700 })

if (isClone && !buildIsFresh('.')) {
  console.log('Building the cashier. This takes a minute, and is skipped if nothing has changed.')
  const code = await runProgram(process.execPath, ['scripts/build.ts'])
  if (code !== 0) process.exit(code)
}

const offset = Number.parseInt(flags['port-offset'], 10)
const ports = {
  sandbox: await nextFreePort(4010 + offset),
  cashier: await nextFreePort(3000 + offset),
  shop: await nextFreePort(4020 + offset),
}
const secrets = demoSecrets(FOLDER)
const demo = {
  ports,
  secrets,
  folder: FOLDER,
  merchantDecides: flags['merchant-decides'],
  ...(backend !== undefined && { backend }),
}
const settings = demoEnvironments(demo)
const receiver = flags.troubles
  ? await startDemoReceiver(await nextFreePort(4030 + offset), settings.cashier['MERCHANT_WEBHOOK_URL'] ?? null)
  : null
const environments = {
  ...settings,
  cashier: {
    ...settings.cashier,
    ...(receiver !== null && { ...TROUBLES_SETTINGS, MERCHANT_WEBHOOK_URL: receiver.url }),
  },
}

/** Each program needs those started before it, so they are stopped in reverse order. */
const PROGRAMS = [
  { name: 'sandbox', args: [join(PROJECT, 'sandbox/main.ts')] },
  { name: 'cashier', args: ['--conditions=react-server', join(PROJECT, 'server.ts')] },
  { name: 'shop', args: [join(PROJECT, 'examples/shop/main.ts')] },
] as const
const running: { readonly name: string; readonly program: SupervisedProcess }[] = []

const state = { stopping: false }
async function stopAll(code: number): Promise<never> {
  if (!state.stopping) {
    state.stopping = true
    for (const { program } of running.reverse()) await program.stop()
    if (running.length > 0) console.log('All programs have stopped.')
    process.exit(code)
  }
  return new Promise(() => undefined)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0))

for (const { name, args } of PROGRAMS) {
  if (name === 'shop' && backend !== undefined) continue
  const env = { ...process.env, NODE_ENV: 'production', ...environments[name] } as const
  try {
    const program = await startSupervised({ command: process.execPath, args, env, ready: /listening on (https?:\S+)/ })
    running.push({ name, program })
    void program.exited.then(async (code) => {
      if (state.stopping) return
      console.error(`\nThe ${name} has stopped unexpectedly (exit code ${code}). The end of its output:\n`)
      console.error(program.output().split('\n').slice(-25).join('\n'))
      await stopAll(1)
    })
  } catch (error) {
    if (!state.stopping)
      console.error(`\nThe ${name} did not start. ${error instanceof Error ? error.message : String(error)}`)
    await stopAll(1)
  }
}

const url = demoUrls(ports)
const invitation = await invitationOf(environments.cashier)
if (receiver !== null) {
  console.log('Bringing the troubles about. This takes half a minute.')
  const areNew = await seedTroubles({
    cashierUrl: url.cashier,
    databaseFile: `${FOLDER}/cashier.db`,
    merchantApiKey: secrets.merchantApiKey,
    refused: receiver.refused,
    control: async (method, path, body): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' }
      const init = { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) }
      const answer = await fetch(`${url.sandbox}/control${path}`, init)
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as unknown
    },
  })
  console.log(
    areNew
      ? 'They wait in the console, which says what to do about each; docs/guides/support.md says more.'
      : 'The troubles of an earlier run are still there; --fresh makes new ones.',
  )
}
if (backend !== undefined)
  console.log(`${backendText({ ...demo, backend })}
Get a deposit address in your site, then detect and confirm a deposit in the sandbox: your backend books it.
Data, keys and secrets are in ${FOLDER}/. Ctrl-C stops both.
`)
else
  console.log(`
  The shop, with the cashier in it        ${url.shop}
  The sandbox, to simulate transactions   ${url.sandbox}/control
  The cashier (in the shop's frame)       ${url.cashier}
  The console, by this invitation         ${invitation}

Get a deposit address in the shop, then detect and confirm a deposit in the sandbox, and watch it arrive.
Data, keys and secrets are in ${FOLDER}/. Ctrl-C stops everything.
`)
