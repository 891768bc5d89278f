/** What an operator may see of the environment. */
import type { ShownSetting } from '#lib/contract/operate/settings.ts'
import { defaultText, variables, type Variables } from './variables.ts'

/** `address`: a URL is shown without user, password and query, which may be secrets. */
type Shown = 'value' | 'address' | 'secret'

const SHOWN: Readonly<Record<keyof Variables, Shown>> = {
  PORT: 'value',
  HOST: 'value',
  PUBLIC_URL: 'value',
  DATABASE_URL: 'address',
  DATABASE_REPLICATED: 'value',
  DATABASE_PARTITIONS: 'value',
  GATEWAY_BASE_URL: 'address',
  GATEWAY_API_KEY: 'secret',
  GATEWAY_PRIVATE_KEY: 'secret',
  GATEWAY_PUBLIC_KEY: 'secret',
  GATEWAY_MERCHANT_REFERENCE: 'value',
  GATEWAY_SIGN_QUERY: 'value',
  GATEWAY_TIMEOUT_MS: 'value',
  RECONCILE_CALLS_PER_S: 'value',
  WEBHOOK_TOLERANCE_S: 'value',
  SESSION_SECRET: 'secret',
  MERCHANT_API_KEY: 'secret',
  SESSION_IDLE_S: 'value',
  SESSION_MAX_S: 'value',
  EMBED_ORIGINS: 'value',
  ONRAMP_ORIGINS: 'value',
  DEPOSIT_LINKS: 'value',
  ONRAMP_LEGACY: 'value',
  MERCHANT_AUTHORIZE_URL: 'address',
  MERCHANT_WEBHOOK_URL: 'address',
  MERCHANT_WEBHOOK_SECRET: 'secret',
  WITHDRAWAL_ABSENCE_S: 'value',
  LEDGER_START: 'value',
  OVERDUE_S: 'value',
  GATEWAY_STATUS_WORDS: 'value',
  WITHDRAWAL_CONFIRM_ABOVE: 'value',
  WITHDRAWAL_LIMITS: 'value',
  WITHDRAWAL_RULES: 'value',
  USER_CANCELLATION: 'value',
  DEPOSIT_MINIMUMS: 'value',
  VALUES: 'value',
  TWO_PERSONS_ABOVE: 'value',
  OPERATORS: 'value',
  DOCS: 'value',
  ALLOW_INSECURE_HTTP: 'value',
  DRAIN_S: 'value',
  RATE_LIMIT: 'value',
  TRUST_PROXY: 'value',
  METRICS_TOKEN: 'secret',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'address',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'value',
  OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  THEME_TOKENS: 'value',
  SUPPORT_URL: 'value',
  EXPLORER_URL: 'value',
  LOG_LEVEL: 'value',
  KEEP_STREAM_EVENTS_DAYS: 'value',
  KEEP_WEBHOOKS_DAYS: 'value',
  KEEP_SESSIONS_DAYS: 'value',
  KEEP_MERCHANT_EVENTS_DAYS: 'value',
}

/** The part of a URL before its user, and the part from its host to its query. */
const ADDRESS = /^([a-z][a-z0-9+.-]*:\/{0,2})(?:[^/?#]*@)?([^?#]*)/i

/** An address of a database may name several hosts, which `URL` refuses. */
const withoutSecrets = (address: string): string => {
  const [, scheme = '', rest = ''] = ADDRESS.exec(address) ?? []
  return scheme + rest
}

/** @param env the variables that are set, without white space around them */
export function shownSettings(env: Readonly<Record<string, string>>): readonly ShownSetting[] {
  const schemas = variables(() => '').shape
  return Object.entries(SHOWN).map(([name, shown]): ShownSetting => {
    const given = env[name]
    const value = given ?? defaultText(schemas[name as keyof Variables])
    const secret = shown === 'secret'
    return {
      name,
      state: given !== undefined ? 'set' : value === null ? 'unset' : 'default',
      value: value === null || secret ? null : shown === 'address' ? withoutSecrets(value) : value,
      secret,
    }
  })
}
