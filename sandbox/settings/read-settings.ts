import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SandboxOptions } from '../start-sandbox.ts'
import { MODE_NAMES } from '../state/mode-guide.ts'
import type { ModeName } from '../state/mode-guide.ts'
import { modeChangesSchema, modesSchema } from '../state/modes.ts'
import { FLAGS, environmentName } from './flags.ts'
import type { GivenSettings } from './flags.ts'
import { loadOrCreateKeys } from './keys.ts'
import { readPem } from './keys.ts'

/** Invalid settings, all reported together. */
export class SettingsError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

export interface Settings {
  readonly options: SandboxOptions & { readonly port: number; readonly data: string }
  /** Paths of the keys that were created here; the cashier needs them. */
  readonly createdKeys: { readonly merchantPrivateKey?: string; readonly gatewayPublicKey?: string }
}

const merchantSchema = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  api_key: z.string().min(1),
  public_key: z.string().min(1),
  allow_custom_external_wallet: z.boolean().default(false),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
})

const flag = z.enum(['true', 'false'])
const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)

const processSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  data: z.string(),
  keys: z.string(),
  'public-url': origin.optional(),
  'base-path': z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'must be empty or begin with a slash and not end with one'),
  'gateway-private-key': z.string().optional(),
  'merchant-id': z.string(),
  'api-key': z.string(),
  'merchant-public-key': z.string().optional(),
  'webhook-url': z.url({ protocol: /^https?$/ }).or(z.literal('none')),
  'allow-custom-external-wallet': flag,
  merchants: z.string().optional(),
  'allow-production': flag,
})

type Process = z.infer<typeof processSchema>

const WITHOUT_DEFAULT: readonly string[] = ['public-url', 'gateway-private-key', 'merchant-public-key', 'merchants']
const DEFAULTS = Object.fromEntries(
  FLAGS.filter(({ name }) => !WITHOUT_DEFAULT.includes(name)).map(({ name, defaultValue: usual }) => [name, usual]),
)

function readMode(name: ModeName, text: string): { value: unknown } | { fault: string } {
  const schema = modesSchema.shape[name]
  const readings: unknown[] = [text, text === 'off' ? null : text]
  try {
    readings.push(JSON.parse(text))
  } catch {
    // Not JSON: only the text itself is tried.
  }
  const read = readings.map((reading) => schema.safeParse(reading)).find(({ success }) => success)
  return read ? { value: read.data } : { fault: `cannot be ${text}` }
}

/** A public key of at least 2048 bits, given in any format, as PEM. */
function publicPem(given: string): string {
  const key = createPublicKey(readPem(given))
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa' || bits < 2048) throw new RangeError('is not an RSA key of at least 2048 bits')
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

function readMerchants(read: Process): { merchants: SandboxOptions['merchants']; madeKey?: string } {
  if (read.merchants !== undefined) {
    const text = read.merchants.startsWith('file:')
      ? readFileSync(read.merchants.slice('file:'.length), 'utf8')
      : read.merchants
    const parsed = z.array(merchantSchema).min(1).parse(JSON.parse(text))
    return {
      merchants: parsed.map((one) => ({ ...one, name: one.name ?? one.id, public_key: publicPem(one.public_key) })),
    }
  }
  const given = read['merchant-public-key']
  const made = given === undefined ? loadOrCreateKeys(read.keys, 'merchant') : null
  const merchant = {
    id: read['merchant-id'],
    name: read['merchant-id'],
    api_key: read['api-key'],
    public_key: made?.publicKey ?? publicPem(given ?? ''),
    allow_custom_external_wallet: read['allow-custom-external-wallet'] === 'true',
    webhook_url: read['webhook-url'] === 'none' ? null : read['webhook-url'],
  }
  return { merchants: [merchant], ...(made ? { madeKey: made.privatePath } : {}) }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The settings with their defaults. Keys that are not given are created on the first run.
 * @throws SettingsError with every fault and its variable
 */
export function readSettings(given: GivenSettings, nodeEnv: string | undefined): Settings {
  const faults: string[] = []
  const named = (name: string, fault: string): void => void faults.push(`${environmentName(name)} ${fault}`)
  const attempt = <T>(name: string, read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      named(name, `cannot be used: ${reasonOf(error)}`)
      return null
    }
  }

  const modes: Record<string, unknown> = {}
  for (const name of MODE_NAMES) {
    const text = given[name.replaceAll('_', '-')]
    if (text === undefined) continue
    const mode = readMode(name, text)
    if ('fault' in mode) named(name, mode.fault)
    else modes[name] = mode.value
  }
  const parsed = processSchema.safeParse({ ...DEFAULTS, ...given })
  if (!parsed.success) {
    for (const issue of parsed.error.issues) named(String(issue.path[0]), issue.message)
    throw new SettingsError(faults)
  }
  const read = parsed.data
  if (nodeEnv === 'production' && read['allow-production'] !== 'true') {
    faults.push(
      'NODE_ENV is production: the sandbox moves no money and has open control routes; SANDBOX_ALLOW_PRODUCTION=true starts it anyway',
    )
    throw new SettingsError(faults)
  }
  const merchants = attempt(read.merchants === undefined ? 'merchant-public-key' : 'merchants', () =>
    readMerchants(read),
  )
  const gateway = attempt('gateway-private-key', () => {
    const text = read['gateway-private-key']
    if (text === undefined) return loadOrCreateKeys(read.keys, 'gateway')
    createPrivateKey(readPem(text))
    return { privateKey: readPem(text), publicPath: undefined }
  })
  if (faults.length > 0 || !merchants || !gateway) throw new SettingsError(faults)
  return {
    options: {
      port: read.port,
      host: read.host,
      data: read.data,
      basePath: read['base-path'],
      ...(read['public-url'] === undefined ? {} : { publicUrl: read['public-url'] }),
      merchants: merchants.merchants,
      gatewayPrivateKey: gateway.privateKey,
      modes: modeChangesSchema.parse(modes),
    },
    createdKeys: {
      ...(merchants.madeKey === undefined ? {} : { merchantPrivateKey: merchants.madeKey }),
      ...(gateway.publicPath === undefined ? {} : { gatewayPublicKey: gateway.publicPath }),
    },
  }
}
