import { parseArgs } from 'node:util'
import { MODE_ABOUT, MODE_NAMES, modeChoices } from '../state/mode-guide.ts'
import { USUAL_MODES } from '../state/modes.ts'
import type { Modes } from '../state/modes.ts'

export interface Flag {
  /** Such as `webhook-url`, given as `--webhook-url` or `SANDBOX_WEBHOOK_URL`. */
  readonly name: string
  readonly about: string
  readonly usual: string
}

const DATA_FOLDER = './data/sandbox'

/** Settings of the process itself; the switches follow them under their own names. */
export const FLAGS: readonly Flag[] = [
  { name: 'port', about: 'port; 0 takes a free one', usual: '4010' },
  { name: 'host', about: 'address to listen on; localhost is both loopback addresses', usual: 'localhost' },
  { name: 'data', about: 'database file, or :memory:', usual: `${DATA_FOLDER}/sandbox.db` },
  { name: 'keys', about: 'folder for keys that are made because none were given', usual: `${DATA_FOLDER}/keys` },
  { name: 'public-url', about: 'origin of the widget link and the icons', usual: 'http://localhost:PORT' },
  { name: 'base-path', about: 'prefix of every operation, such as /gateway; part of the signed path', usual: '' },
  {
    name: 'gateway-private-key',
    about: 'key that signs webhooks (PEM, \\n written out, base64, or file:PATH)',
    usual: 'made once',
  },
  { name: 'merchant-id', about: 'id of the one merchant', usual: 'demo-merchant' },
  { name: 'api-key', about: 'its API key', usual: 'sandbox-api-key' },
  { name: 'merchant-public-key', about: 'its public key, spelled like the private one', usual: 'made once' },
  {
    name: 'webhook-url',
    about: 'where its webhooks go; none sends nothing',
    usual: 'http://localhost:3000/api/webhooks/gateway',
  },
  { name: 'allow-custom-external-wallet', about: 'its flag of the same name', usual: 'false' },
  {
    name: 'merchants',
    about: 'several merchants instead: JSON array, or file:PATH; see docs/sandbox.md',
    usual: 'one',
  },
  { name: 'allow-production', about: 'start although NODE_ENV is production', usual: 'false' },
]

const shownMode = (value: Modes[keyof Modes]): string =>
  value === null ? 'off' : JSON.stringify(value).replaceAll('"', '')

const MODE_FLAGS: readonly Flag[] = MODE_NAMES.map((name) => ({
  name: name.replaceAll('_', '-'),
  about: [MODE_ABOUT[name], modeChoices(name)?.join(' | ')].filter((part) => part !== undefined).join(': '),
  usual: shownMode(USUAL_MODES[name]),
}))

export const environmentName = (flag: string): string => `SANDBOX_${flag.replaceAll('-', '_').toUpperCase()}`

/** What was given, by flag name; a flag wins over the environment, and empty counts as not given. */
export type Given = Readonly<Record<string, string>>

/** @throws TypeError for a flag that does not exist. */
export function readGiven(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Given & { help?: string } {
  const all = [...FLAGS, ...MODE_FLAGS]
  const options = Object.fromEntries(all.map(({ name }) => [name, { type: 'string' as const }]))
  const { help, ...values }: Record<string, unknown> = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: true,
  }).values
  const found: Record<string, string> = {}
  for (const { name } of all) {
    const value = values[name] ?? environment[environmentName(name)]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return help === true ? { ...found, help: 'yes' } : found
}

/** The text of `--help`. */
export function helpText(): string {
  const line = ({ name, about, usual }: Flag): string =>
    `  --${name.padEnd(30)} ${about} ${usual === '' ? '' : `[${usual}]`}`
  return [
    'The sandbox gateway: the whole payment gateway on one machine, with its faults.',
    '',
    'Every flag can be given as a variable too: --port is SANDBOX_PORT.',
    '',
    ...FLAGS.map(line),
    '',
    'Switches as they stand after a reset (docs/sandbox.md says what each does):',
    '',
    ...MODE_FLAGS.map(line),
  ].join('\n')
}
