import { z } from 'zod'
import type { SandboxOptions } from '../start-sandbox.ts'
import { MODE_NAMES, modeAllowed } from '../state/mode-guide.ts'
import type { ModeName } from '../state/mode-guide.ts'
import type { MerchantSettings } from '../state/merchants.ts'
import { modeChangesSchema, modesSchema } from '../state/modes.ts'
import { FLAGS, environmentName } from './flags.ts'
import type { GivenSettings } from './flags.ts'
import { loadOrCreateKeys } from './keys.ts'
import { readPrivateKey, readPublicKey } from './read-keys.ts'
import { readMerchants } from './read-merchants.ts'

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
  /** Paths of the created keys, which the cashier needs. */
  readonly createdKeys: { readonly merchantPrivateKey?: string; readonly gatewayPublicKey?: string }
}

const trueOrFalse = { error: 'true or false' }
const flag = z.enum(['true', 'false'], trueOrFalse).transform((text) => text === 'true')
const webAddress = (error: string) => z.url({ protocol: /^https?$/, error })
const PORT = { error: 'a whole number from 0 to 65535' }
const LINK = 'an http or https URL, such as http://127.0.0.1:4020/?user={user}'
const WEBHOOK_URL = 'an http or https URL, or none'

/** The error of each field describes the allowed values. */
const processSchema = z.object({
  port: z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT),
  host: z.string(),
  data: z.string(),
  keys: z.string(),
  'public-url': webAddress('an http or https URL, such as http://sandbox.test:4010')
    .transform((url) => new URL(url).origin)
    .optional(),
  'base-path': z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'a path that begins with a slash and does not end with one, such as /gateway'),
  'gateway-private-key': z.string().optional(),
  'merchant-id': z.string(),
  'api-key': z.string(),
  'merchant-public-key': z.string().optional(),
  'webhook-url': z.literal('none').or(webAddress(WEBHOOK_URL)),
  'allow-custom-external-wallet': flag,
  merchants: z.string().optional(),
  'shop-url': webAddress(LINK).optional(),
  'cashier-url': webAddress(LINK).optional(),
  'allow-production': flag,
})

type Process = z.infer<typeof processSchema>

const WITHOUT_DEFAULT: readonly string[] = [
  'public-url',
  'gateway-private-key',
  'merchant-public-key',
  'merchants',
  'shop-url',
  'cashier-url',
]
const DEFAULTS = Object.fromEntries(
  FLAGS.filter(({ name }) => !WITHOUT_DEFAULT.includes(name)).map(({ name, defaultValue: usual }) => [name, usual]),
)

/** The text itself, `off`, JSON, or a list with commas. */
function readMode(name: ModeName, text: string): { value: unknown } | { fault: string } {
  const schema = modesSchema.shape[name]
  const readings: unknown[] = [text, text === 'off' ? null : text]
  for (const json of [text, `[${text}]`]) {
    try {
      readings.push(JSON.parse(json))
    } catch {
      // The text is not JSON, so only the other forms are tried.
    }
  }
  const read = readings.map((reading) => schema.safeParse(reading)).find(({ success }) => success)
  return read ? { value: read.data } : { fault: `cannot be ${text}: it must be ${modeAllowed(name)}` }
}

const oneMerchant = (read: Process, public_key: string): MerchantSettings => ({
  id: read['merchant-id'],
  name: read['merchant-id'],
  api_key: read['api-key'],
  public_key,
  allow_custom_external_wallet: read['allow-custom-external-wallet'],
  webhook_url: read['webhook-url'] === 'none' ? null : read['webhook-url'],
})

/** Collects faults, each with its variable. */
class Faults {
  readonly all: string[] = []

  note(name: string, fault: string): void {
    this.all.push(`${environmentName(name)} ${fault}`)
  }

  /** The result of `read` for a given setting; undefined if the setting is missing or invalid. */
  attempt<T>(name: string, given: string | undefined, read: (given: string) => T): T | undefined {
    if (given === undefined) return undefined
    try {
      return read(given)
    } catch (error) {
      this.note(name, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
}

function readModes(given: GivenSettings, faults: Faults): Record<string, unknown> {
  const modes: Record<string, unknown> = {}
  for (const name of MODE_NAMES) {
    const text = given[name.replaceAll('_', '-')]
    if (text === undefined) continue
    const mode = readMode(name, text)
    if ('fault' in mode) faults.note(name, mode.fault)
    else modes[name] = mode.value
  }
  return modes
}

/** The settings of the process. An invalid setting is replaced by its default, so that all settings are checked. */
function readProcess(given: GivenSettings, faults: Faults): Process {
  const parsed = processSchema.safeParse({ ...DEFAULTS, ...given })
  if (parsed.success) return parsed.data
  const allowed = new Map(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]))
  for (const [name, values] of allowed) faults.note(name, `cannot be ${given[name] ?? ''}: it must be ${values}`)
  const usable = Object.fromEntries(Object.entries(given).filter(([name]) => !allowed.has(name)))
  return processSchema.parse({ ...DEFAULTS, ...usable })
}

/**
 * The settings with their defaults. Keys that are not given are created on the first run.
 * @throws SettingsError with every fault, its variable and the allowed values
 */
export function readSettings(given: GivenSettings, nodeEnv: string | undefined): Settings {
  const faults = new Faults()
  const modes = readModes(given, faults)
  const read = readProcess(given, faults)
  if (nodeEnv === 'production' && !read['allow-production'])
    faults.all.push(
      'NODE_ENV is production: the sandbox moves no money and has open control routes; SANDBOX_ALLOW_PRODUCTION=true starts it anyway',
    )
  const several = faults.attempt('merchants', read.merchants, readMerchants)
  for (const fault of several?.faults ?? []) faults.note('merchants', fault)
  const publicKey = faults.attempt('merchant-public-key', read['merchant-public-key'], readPublicKey)
  const privateKey = faults.attempt('gateway-private-key', read['gateway-private-key'], readPrivateKey)
  if (faults.all.length > 0) throw new SettingsError(faults.all)

  const createKeys = (name: string) => {
    const keys = faults.attempt('keys', read.keys, (folder) => loadOrCreateKeys(folder, name))
    if (!keys) throw new SettingsError(faults.all)
    return keys
  }
  const merchantKeys = several || publicKey !== undefined ? null : createKeys('merchant')
  const gatewayKeys = privateKey === undefined ? createKeys('gateway') : null
  return {
    options: {
      port: read.port,
      host: read.host,
      data: read.data,
      basePath: read['base-path'],
      ...(read['public-url'] === undefined ? {} : { publicUrl: read['public-url'] }),
      merchants: several?.merchants ?? [oneMerchant(read, merchantKeys?.publicKey ?? publicKey ?? '')],
      gatewayPrivateKey: gatewayKeys?.privateKey ?? privateKey ?? '',
      modes: modeChangesSchema.parse(modes),
      links: { shop: read['shop-url'] ?? null, cashier: read['cashier-url'] ?? null },
    },
    createdKeys: {
      ...(merchantKeys ? { merchantPrivateKey: merchantKeys.privatePath } : {}),
      ...(gatewayKeys ? { gatewayPublicKey: gatewayKeys.publicPath } : {}),
    },
  }
}
