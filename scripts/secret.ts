/** `npm run secret -- webhook`: prints a new secret for one of the cashier's variables. */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

const KINDS: Readonly<Record<string, { readonly variable: string; readonly make: () => string }>> = {
  webhook: { variable: 'MERCHANT_WEBHOOK_SECRET', make: () => `whsec_${randomBytes(32).toString('base64')}` },
  'api-key': { variable: 'MERCHANT_API_KEY', make: () => randomBytes(32).toString('base64url') },
  session: { variable: 'SESSION_SECRET', make: () => randomBytes(32).toString('base64url') },
  metrics: { variable: 'METRICS_TOKEN', make: () => randomBytes(24).toString('base64url') },
}

const { positionals } = parseArgs({ allowPositionals: true })
const [kind = ''] = positionals
const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
if (positionals.length === 1 && known) console.log(known.make())
else {
  const lines = Object.entries(KINDS).map(
    ([name, { variable }]) => `  npm run -s secret -- ${name.padEnd(8)}  ${variable}`,
  )
  console.error(`Prints a new secret and does not store it:\n${lines.join('\n')}`)
  process.exitCode = 2
}
