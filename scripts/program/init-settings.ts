/** Writes the settings of a new installation, and says what is left to do. */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandText } from '#lib/server/runtime/command-text.ts'
import { localPort } from '#lib/server/runtime/config/readers.ts'
import { defaultText, variables } from '#lib/server/runtime/config/variables.ts'
import { QUESTIONS, type Answers } from './init-questions.ts'
import { newSecret } from './new-secret.ts'

const KEY_BITS = 3072
/** Values that a shell, Compose and Node all read as they are. */
const PLAIN = /^[\w./:,;@%+=~-]*$/

/** A line of `.env`: in quotes if the value has other characters. */
export function settingLine(name: string, value: string): string {
  if (PLAIN.test(value)) return `${name}=${value}`
  const quote = ["'", '"', '`'].find((one) => !value.includes(one))
  return `${name}=${quote ?? ''}${value}${quote ?? ''}`
}

/** A PEM in one line, so that the file needs no other one. */
function inOneLine(pem: string): string {
  const text = pem.startsWith('file:') ? readFileSync(pem.slice('file:'.length), 'utf8') : pem.replaceAll('\\n', '\n')
  return text.includes('-----BEGIN') ? Buffer.from(text).toString('base64') : pem
}

const newPrivateKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: KEY_BITS,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey

/** The port to listen on, if it follows from `PUBLIC_URL` and is not the usual one. */
function portOf(publicUrl: string): Answers {
  const port = localPort(publicUrl)
  const usual = defaultText(variables(() => '').shape.PORT)
  return port === null || String(port) === usual ? {} : { PORT: String(port) }
}

/** The content of the file. @param privateKey a PEM */
export function settingsText(given: Answers, privateKey: string): string {
  const publicUrl = given['PUBLIC_URL'] ?? ''
  const publicKey = inOneLine(given['GATEWAY_PUBLIC_KEY'] ?? '')
  const values: Answers = { ...given, ...portOf(publicUrl), GATEWAY_PUBLIC_KEY: publicKey }
  const lines = (names: readonly string[]): readonly string[] =>
    names.filter((name) => (values[name] ?? '') !== '').map((name) => settingLine(name, values[name] ?? ''))
  return [
    '# Written by `cashier init`. docs/reference/environment.md describes every setting.',
    ...lines(QUESTIONS.map(({ variable }) => variable)),
    ...lines(['PORT', 'ALLOW_INSECURE_HTTP']),
    '',
    '# Keys and secrets of this installation. Keep a copy where nobody else reads it.',
    settingLine('GATEWAY_PRIVATE_KEY', Buffer.from(privateKey).toString('base64')),
    settingLine('SESSION_SECRET', newSecret('session')),
    settingLine('MERCHANT_API_KEY', newSecret('api-key')),
    settingLine('MERCHANT_WEBHOOK_SECRET', newSecret('webhook')),
    settingLine('METRICS_TOKEN', newSecret('metrics')),
    '',
    '# Only compose.yaml reads these.',
    settingLine('CASHIER_HOST', new URL(publicUrl).hostname),
    settingLine('POSTGRES_PASSWORD', randomBytes(32).toString('hex')),
    '',
  ].join('\n')
}

export interface Written {
  readonly file: string
  /** The file with the public key for the gateway. */
  readonly publicKeyFile: string
  readonly publicKey: string
}

/** @throws when the file exists, unless `force` */
export function writeSettings(file: string, answers: Answers, force: boolean): Written {
  const privateKey = newPrivateKey()
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  writeFileSync(file, settingsText(answers, privateKey), { mode: 0o600, flag: force ? 'w' : 'wx' })
  // The mode above is only for a new file.
  chmodSync(file, 0o600)
  const publicKeyFile = join(dirname(file), 'merchant-public.pem')
  writeFileSync(publicKeyFile, publicKey)
  return { file, publicKeyFile, publicKey }
}

export function stepsText({ file, publicKeyFile, publicKey }: Written, answers: Answers): string {
  const origin = new URL(answers['PUBLIC_URL'] ?? '').origin
  const webhookUrl = `${origin}/api/webhooks/gateway`
  return `${file} is written. What is left to do:

1. Give the gateway's console your public key (${publicKeyFile}):

${publicKey}
2. Give it your webhook address: ${webhookUrl}
   The sandbox takes both at its next start, beside its other options:
   ${commandText('sandbox', `--merchant-public-key=file:${publicKeyFile} --webhook-url=${webhookUrl}`)}
3. Give your backend MERCHANT_API_KEY of ${file}, for its calls. If it takes events by webhook, set
   MERCHANT_WEBHOOK_URL, and give it MERCHANT_WEBHOOK_SECRET.${
     origin.startsWith('https:')
       ? `\n   Behind a proxy with TLS set TRUST_PROXY=1, and HOST=127.0.0.1 if it is on this machine.`
       : ''
   }
4. Test the settings: ${commandText('doctor')}
5. Start: ${commandText('start')}`
}
