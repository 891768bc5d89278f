import { parseArgs } from 'node:util'
import { MODE_ABOUT, MODE_NAMES, modeChoices } from '../state/mode-guide.ts'
import { DEFAULT_MODES } from '../state/modes.ts'
import type { Modes } from '../state/modes.ts'

export interface Flag {
  /** Such as `webhook-url`, given as `--webhook-url` or `SANDBOX_WEBHOOK_URL`. */
  readonly name: string
  readonly about: string
  readonly defaultValue: string
}

const DATA_FOLDER = './data/sandbox'

/** Settings of the process. The modes are flags too, with their own names. */
export const FLAGS: readonly Flag[] = [
  { name: 'port', about: 'port; 0 takes a free port', defaultValue: '4010' },
  { name: 'host', about: 'address to listen on; localhost is both loopback addresses', defaultValue: 'localhost' },
  { name: 'data', about: 'database file, or :memory:', defaultValue: `${DATA_FOLDER}/sandbox.db` },
  {
    name: 'keys',
    about: 'folder of the keys that are created when none are given',
    defaultValue: `${DATA_FOLDER}/keys`,
  },
  { name: 'public-url', about: 'origin of the widget link and the icons', defaultValue: 'http://localhost:PORT' },
  {
    name: 'base-path',
    about: 'prefix of every operation, such as /gateway; part of the signed path',
    defaultValue: '',
  },
  {
    name: 'gateway-private-key',
    about: 'key that signs webhooks (PEM, \\n written out, base64, or file:PATH)',
    defaultValue: 'created once',
  },
  { name: 'merchant-id', about: 'id of the one merchant', defaultValue: 'demo-merchant' },
  { name: 'api-key', about: 'its API key', defaultValue: 'sandbox-api-key' },
  { name: 'merchant-public-key', about: 'its public key, in the same formats', defaultValue: 'created once' },
  {
    name: 'webhook-url',
    about: 'where its webhooks are sent; none sends nothing',
    defaultValue: 'http://localhost:3000/api/webhooks/gateway',
  },
  {
    name: 'allow-custom-external-wallet',
    about: 'whether it may send crypto to custom wallets',
    defaultValue: 'false',
  },
  {
    name: 'merchants',
    about: 'several merchants instead of one: a JSON array, or file:PATH; see docs/guides/test.md',
    defaultValue: 'one',
  },
  {
    name: 'shop-url',
    about: 'a page that embeds the cashier, for a link on the control page; {user} is replaced by the user',
    defaultValue: '',
  },
  {
    name: 'cashier-url',
    about: 'a URL that opens the cashier as a top-level page, for another link',
    defaultValue: '',
  },
  { name: 'allow-production', about: 'start even if NODE_ENV is production', defaultValue: 'false' },
]

const modeText = (value: Modes[keyof Modes]): string =>
  value === null ? 'off' : JSON.stringify(value).replaceAll('"', '')

const MODE_FLAGS: readonly Flag[] = MODE_NAMES.map((name) => ({
  name: name.replaceAll('_', '-'),
  about: [MODE_ABOUT[name], modeChoices(name)?.join(' | ')].filter((part) => part !== undefined).join(': '),
  defaultValue: modeText(DEFAULT_MODES[name]),
}))

export const environmentName = (flag: string): string => `SANDBOX_${flag.replaceAll('-', '_').toUpperCase()}`

/** The given settings by flag name. A flag overrides an environment variable; empty counts as not given. */
export type GivenSettings = Readonly<Record<string, string>>

/** @throws TypeError for a flag that does not exist. */
export function readGivenSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GivenSettings & { help?: string } {
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
  const line = ({ name, about, defaultValue: usual }: Flag): string =>
    `  --${name.padEnd(30)} ${about} ${usual === '' ? '' : `[${usual}]`}`
  return [
    'The sandbox gateway: the whole payment gateway on one machine, with faults on demand.',
    '',
    'Every flag can also be given as an environment variable: --port is SANDBOX_PORT.',
    '',
    ...FLAGS.map(line),
    '',
    'Modes after start and after a reset (docs/guides/test.md describes them):',
    '',
    ...MODE_FLAGS.map(line),
  ].join('\n')
}
