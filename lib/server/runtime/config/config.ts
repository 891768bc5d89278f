/** The settings (docs/reference/environment.md, "Environment"), read once. Only this module reads the environment. */
import type { ShownSetting } from '#lib/contract/operate/settings.ts'
import type { LedgerMode } from '../../ledger/accounts.ts'
import type { ReadTextFile } from './pem.ts'
import { isLocalHost, localPort } from './readers.ts'
import { shownSettings } from './shown-settings.ts'
import { variables, type Variables } from './variables.ts'

/** The fault of one variable, with what is allowed. Never contains its value. */
export interface ConfigFault {
  readonly variable: string
  readonly fault: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A merchant that is asked about each withdrawal keeps the books itself. */
const ledgerModeOf = (authorizeUrl: string | undefined): LedgerMode =>
  authorizeUrl === undefined ? 'embedded' : 'merchant'

const settingsOf = (env: Variables) => ({
  port: env.PORT,
  /** Null: all addresses of the machine. */
  host: env.HOST ?? null,
  /** Null: `http://localhost:` and the listening port. */
  publicUrl: env.PUBLIC_URL ?? null,
  databaseUrl: env.DATABASE_URL,
  databaseReplicated: env.DATABASE_REPLICATED === 'on',
  /** Null: the tables of PostgreSQL have no partitions, or keep what they have. */
  databasePartitions: env.DATABASE_PARTITIONS ?? null,
  gateway: {
    baseUrl: env.GATEWAY_BASE_URL,
    apiKey: env.GATEWAY_API_KEY,
    privateKey: env.GATEWAY_PRIVATE_KEY,
    /** Any of them may have signed a webhook. */
    publicKeys: env.GATEWAY_PUBLIC_KEY,
    signQuery: env.GATEWAY_SIGN_QUERY,
    timeoutMs: env.GATEWAY_TIMEOUT_MS,
  },
  /** Null: the gateway's list confirms webhooks. */
  gatewayMerchantReference: env.GATEWAY_MERCHANT_REFERENCE ?? null,
  reconcileCallsPerS: env.RECONCILE_CALLS_PER_S,
  webhookToleranceS: env.WEBHOOK_TOLERANCE_S,
  /** The first one signs; all are accepted. */
  sessionSecrets: env.SESSION_SECRET,
  merchantApiKeys: env.MERCHANT_API_KEY,
  sessionIdleS: env.SESSION_IDLE_S,
  sessionMaxS: env.SESSION_MAX_S,
  embedOrigins: env.EMBED_ORIGINS,
  /** Origins, `https://*.host`, `https:`. Empty: the on-ramp is off. */
  onrampOrigins: env.ONRAMP_ORIGINS,
  depositLinks: env.DEPOSIT_LINKS === 'on',
  onrampLegacy: env.ONRAMP_LEGACY === 'on',
  merchantAuthorizeUrl: env.MERCHANT_AUTHORIZE_URL ?? null,
  ledgerMode: ledgerModeOf(env.MERCHANT_AUTHORIZE_URL),
  merchantWebhookUrl: env.MERCHANT_WEBHOOK_URL ?? null,
  /** Each signs our calls to the merchant; empty if there are none. */
  merchantWebhookSecrets: env.MERCHANT_WEBHOOK_SECRET ?? [],
  withdrawalAbsenceS: env.WITHDRAWAL_ABSENCE_S,
  /** Null: the database's own. What the gateway inserted before it is not booked. */
  ledgerStartMs: env.LEDGER_START ?? null,
  /** After this time without an end, a person is asked. */
  overdueMs: env.OVERDUE_S * 1000,
  gatewayStatusWords: env.GATEWAY_STATUS_WORDS,
  /** By currency code in upper case; `*` for all others. Above them, the page asks for the end of the address. */
  withdrawalConfirmAbove: env.WITHDRAWAL_CONFIRM_ABOVE,
  /** The same; above them some decisions of the console need a second person. */
  twoPersonsAbove: env.TWO_PERSONS_ABOVE,
  /** By currency id or `CODE@network`; told by the page, enforced by nobody here. */
  withdrawalLimits: env.WITHDRAWAL_LIMITS,
  /** By currency code, `code@network` or `*` in lower case; empty if the merchant decides. */
  withdrawalRules: env.WITHDRAWAL_RULES,
  /** A user may cancel a withdrawal that waits. */
  userCancellation: env.USER_CANCELLATION === 'on',
  depositMinimums: env.DEPOSIT_MINIMUMS,
  /** What amounts are worth is shown. */
  values: env.VALUES === 'on',
  /** The console exists once somebody was invited. */
  operators: env.OPERATORS === 'on',
  /** The page of the merchant API at `/docs`. */
  docs: env.DOCS === 'on',
  rateLimit: env.RATE_LIMIT === 'on',
  trustProxy: env.TRUST_PROXY,
  /** Null: only this machine gets metrics. */
  metricsToken: env.METRICS_TOKEN ?? null,
  /** True if plain http beyond this machine is allowed. */
  allowInsecureHttp: env.ALLOW_INSECURE_HTTP === 'on',
  /** Null: no traces are sent. Only the receiver may see `headerValues`. */
  tracing:
    env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? null
      : { protocol: env.OTEL_EXPORTER_OTLP_PROTOCOL, headerValues: env.OTEL_EXPORTER_OTLP_HEADERS ?? [] },
  drainS: env.DRAIN_S,
  themeTokens: env.THEME_TOKENS ?? {},
  supportUrl: env.SUPPORT_URL ?? null,
  /** Null: the public explorers. */
  explorerUrl: env.EXPLORER_URL ?? null,
  logLevel: env.LOG_LEVEL,
  retentionDays: {
    streamEvents: env.KEEP_STREAM_EVENTS_DAYS,
    webhooks: env.KEEP_WEBHOOKS_DAYS,
    sessions: env.KEEP_SESSIONS_DAYS,
    merchantEvents: env.KEEP_MERCHANT_EVENTS_DAYS,
  },
})

export type Settings = Readonly<ReturnType<typeof settingsOf>> & {
  /** What an operator may see of the variables. */
  readonly shown: readonly ShownSetting[]
}
/** The settings once the port is known. */
export type Config = Omit<Settings, 'publicUrl'> & { readonly publicUrl: string }

/** Removes empty variables, and white space around values. */
const cleaned = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const text = value?.trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )

/** A platform may set these for other programs on the machine; without the endpoint they are ignored. */
const ONLY_WITH_ENDPOINT: readonly string[] = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_HEADERS']

const inUse = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  env['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined
    ? Object.fromEntries(Object.entries(env).filter(([name]) => !ONLY_WITH_ENDPOINT.includes(name)))
    : env

/** Variables whose traffic others could read and change on a network with plain http. */
const PRIVATE_ADDRESSES = ['GATEWAY_BASE_URL', 'MERCHANT_AUTHORIZE_URL', 'MERCHANT_WEBHOOK_URL', 'EMBED_ORIGINS']

/** True for plain http to another machine. */
const isInsecureAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !isLocalHost(hostname)
}

function insecureAddresses(env: Readonly<Record<string, string>>): ConfigFault[] {
  if (env['ALLOW_INSECURE_HTTP'] === 'on') return []
  return PRIVATE_ADDRESSES.filter((name) =>
    (env[name] ?? '').split(',').some((one) => isInsecureAddress(one.trim())),
  ).map((variable) => ({
    variable,
    fault: 'is plain http to another machine: https is required, or ALLOW_INSECURE_HTTP=on in a private network',
  }))
}

/** Faults of two variables together. */
function mismatches(env: Readonly<Record<string, string>>): ConfigFault[] {
  const faults: ConfigFault[] = []
  const urls = ['MERCHANT_AUTHORIZE_URL', 'MERCHANT_WEBHOOK_URL'].filter((name) => env[name] !== undefined)
  if (urls.length > 0 && env['MERCHANT_WEBHOOK_SECRET'] === undefined)
    faults.push({
      variable: 'MERCHANT_WEBHOOK_SECRET',
      fault: `is required with ${urls.join(' and ')}: whsec_ and base64`,
    })
  if (env['WITHDRAWAL_RULES'] !== undefined && env['MERCHANT_AUTHORIZE_URL'] !== undefined)
    faults.push({
      variable: 'WITHDRAWAL_RULES',
      fault: 'does not go with MERCHANT_AUTHORIZE_URL: the merchant decides about each withdrawal then',
    })
  if (env['DATABASE_PARTITIONS'] !== undefined && (env['DATABASE_URL'] ?? 'file:').startsWith('file:'))
    faults.push({ variable: 'DATABASE_PARTITIONS', fault: 'needs PostgreSQL: SQLite has no partitions' })
  return faults
}

export type ConfigRead =
  { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/** Values that are allowed as a whole, and were cut off. */
const cutOff = (names: readonly string[]): ConfigFault[] =>
  names.map((variable) => ({ variable, fault: 'is cut off in .env at its `#`: put the value in quotes' }))

/**
 * All settings, or all faults at once. `readFile` reads keys of the form `file:`.
 * @param cut the whole values of those that `.env` cuts off at a `#`
 */
export function readConfig(environment: Environment, readFile: ReadTextFile, cut: Environment = {}): ConfigRead {
  const env = inUse(cleaned({ ...environment, ...cut }))
  const schema = variables(readFile)
  const parsed = schema.safeParse(env)
  const faults = (parsed.error?.issues ?? []).map((issue): ConfigFault => ({
    variable: String(issue.path[0]),
    fault: issue.message,
  }))
  faults.push(...insecureAddresses(env), ...mismatches(env))
  const named = new Set(faults.map(({ variable }) => variable))
  faults.push(...cutOff(Object.keys(cut).filter((name) => name in schema.shape && !named.has(name))))
  if (!parsed.success || faults.length > 0) return { ok: false, faults }
  return { ok: true, settings: { ...settingsOf(parsed.data), shown: shownSettings(env) } }
}

/** @param port the listening port; the system chooses it for `PORT=0` */
export const configOf = (settings: Settings, port: number): Config => ({
  ...settings,
  port,
  publicUrl: settings.publicUrl ?? `http://localhost:${port}`,
})

/** A setting that can be read, but is seldom intended. */
export interface ConfigWarning {
  readonly message: string
  /** What to do; null if it may be right. */
  readonly fix: string | null
}

/** Warnings about valid settings; for the log at start, and for the doctor. */
export function configWarnings(config: Config): readonly ConfigWarning[] {
  const { protocol, hostname } = new URL(config.publicUrl)
  const warnings: ConfigWarning[] = []
  const warn = (message: string, fix: string | null = null): void => void warnings.push({ message, fix })
  if (protocol === 'http:' && !isLocalHost(hostname))
    warn(
      'PUBLIC_URL is http: browsers refuse the session cookie on http; use https',
      'put a proxy with TLS in front, and set PUBLIC_URL to its https origin',
    )
  const port = localPort(config.publicUrl)
  if (port !== null && port !== config.port && config.port !== 0 && config.trustProxy === 0)
    warn(
      `PUBLIC_URL is port ${port} of this machine, but PORT is ${config.port}: set PORT=${port}, unless something in between leads to it`,
    )
  if (config.embedOrigins.length === 0) warn('EMBED_ORIGINS is empty: no site may frame the cashier')
  if (config.onrampOrigins.length === 0) warn('ONRAMP_ORIGINS is empty: buying is off')
  return warnings
}
