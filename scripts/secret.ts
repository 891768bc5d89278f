/** `cashier secret webhook`: prints a new secret for one of the cashier's variables. */
import { parseArgs } from 'node:util'
import { usageText } from './program/help.ts'
import { isSecretKind, newSecret } from './program/new-secret.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [kind = ''] = positionals
if (positionals.length === 1 && isSecretKind(kind)) console.log(newSecret(kind))
else {
  console.error(`Prints a new secret and does not store it:\n${usageText('secret')}`)
  process.exitCode = 2
}
