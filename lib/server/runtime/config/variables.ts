/**
 * Every variable of the environment (docs/reference/environment.md, "Environment"): its parser, the allowed values, and
 * its default.
 */
import { z } from 'zod'
import { isoTime } from '#lib/contract/iso-time.ts'
import type { ThemeTokens } from '#lib/contract/read-theme-tokens.ts'
import { KeyFault, readPrivateKey, readPublicKeys, type ReadTextFile } from './pem.ts'
import * as read from './readers.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A setting: its value from `parse`, or the fault `must be <allowed>`. */
const setting = <T>(allowed: string, parse: (text: string) => T | undefined) =>
  z
    .string({ error: `is required: ${allowed}` })
    .transform((text, context): T => {
      const value = parse(text)
      if (value !== undefined) return value
      context.addIssue(`must be ${allowed}`)
      return z.NEVER
    })
    .describe(allowed)

const key = <T>(what: string, parse: (text: string, readFile: ReadTextFile) => T, readFile: ReadTextFile) =>
  z
    .string({ error: `is required: ${what}` })
    .transform((text, context): T => {
      try {
        return parse(text, readFile)
      } catch (error) {
        if (!(error instanceof KeyFault)) throw error
        context.addIssue(`${error.message}. Allowed: ${what}`)
        return z.NEVER
      }
    })
    .describe(what)

const TOKENS = 'a JSON object of the names in docs/guides/embed.md, "Colours and font"'
const tokens = z
  .string()
  .transform((text, context): ThemeTokens => {
    const result = read.themeTokens(text)
    if ('tokens' in result) return result.tokens
    context.addIssue(`${result.fault}. Allowed: ${TOKENS}`)
    return z.NEVER
  })
  .describe(TOKENS)

const DAY_S = 86_400
const seconds = (least: number, most: number) =>
  setting(`whole seconds from ${least} to ${most}`, read.wholeNumber(least, most))
const days = setting('whole days from 1 to 3650', read.wholeNumber(1, 3650))
const url = setting('an http or https address without user name and fragment', (text) => read.address(text)?.href)
const pem = 'an RSA key of at least 2048 bits as PEM: text, text with \\n for line breaks, base64, or file: and a path'

/** Every variable, in the order of the documentation. */
export const variables = (readFile: ReadTextFile) =>
  z.object({
    PORT: setting('a port from 0 to 65535', read.wholeNumber(0, 65_535)).prefault('3000'),
    HOST: setting('a host name or address to listen on', (text) => (/\s/.test(text) ? undefined : text)).optional(),
    PUBLIC_URL: setting('an origin, such as https://cashier.example.com, without a path', read.origin).optional(),
    DATABASE_URL: setting(read.DATABASE_URL_RULE, read.databaseUrl).prefault('file:./data/cashier.db'),
    DATABASE_REPLICATED: setting('on or off', read.oneOf('on', 'off')).prefault('off'),
    DATABASE_PARTITIONS: setting(read.DATABASE_PARTITIONS_RULE, read.databasePartitions).optional(),
    GATEWAY_BASE_URL: setting('the http or https address of the gateway', (text) => read.address(text)?.href),
    GATEWAY_API_KEY: setting('the API key of the Merchant Console: visible ASCII characters without spaces', (text) =>
      /^[!-~]+$/.test(text) ? text : undefined,
    ),
    GATEWAY_PRIVATE_KEY: key(pem, readPrivateKey, readFile),
    GATEWAY_PUBLIC_KEY: key(`${pem}; several PEM blocks may follow one another`, readPublicKeys, readFile),
    GATEWAY_MERCHANT_REFERENCE: setting('the gateway’s name for this merchant: at most 256 characters', (text) =>
      text.length <= 256 ? text : undefined,
    ).optional(),
    GATEWAY_SIGN_QUERY: setting('bare or question-mark', read.oneOf('bare', 'question-mark')).prefault('bare'),
    GATEWAY_TIMEOUT_MS: setting('whole milliseconds from 100 to 120000', read.wholeNumber(100, 120_000)).prefault(
      '10000',
    ),
    RECONCILE_CALLS_PER_S: setting('a whole number from 1 to 1000', read.wholeNumber(1, 1000)).prefault('50'),
    WEBHOOK_TOLERANCE_S: seconds(1, 30 * DAY_S).prefault('300'),
    SESSION_SECRET: setting('32 or more characters; a comma-separated list rotates', read.secrets(32)),
    MERCHANT_API_KEY: setting('32 or more visible ASCII characters; a comma-separated list rotates', read.bearerKeys),
    SESSION_IDLE_S: seconds(1, 30 * DAY_S).prefault('1800'),
    SESSION_MAX_S: seconds(1, 30 * DAY_S).prefault('43200'),
    EMBED_ORIGINS: setting(
      'origins separated by commas, such as https://shop.example.com, without paths and wildcards',
      read.list((text) => (text.includes('*') ? undefined : read.origin(text))),
    ).prefault(''),
    ONRAMP_ORIGINS: setting(
      'https origins, https://*.host patterns, or https:, separated by commas (http only for localhost)',
      read.list(read.onrampPattern),
    ).prefault(''),
    DEPOSIT_LINKS: setting('on or off', read.oneOf('on', 'off')).prefault('off'),
    ONRAMP_LEGACY: setting('on or off', read.oneOf('on', 'off')).prefault('off'),
    MERCHANT_AUTHORIZE_URL: url.optional(),
    MERCHANT_WEBHOOK_URL: url.optional(),
    MERCHANT_WEBHOOK_SECRET: setting(
      'whsec_ and base64 of at least 16 bytes, as in Standard Webhooks; each in a comma-separated list signs',
      read.webhookSecrets,
    ).optional(),
    WITHDRAWAL_ABSENCE_S: seconds(0, 30 * DAY_S).prefault('3600'),
    LEDGER_START: setting('an ISO time with its zone, such as 2026-11-20T00:00:00Z', isoTime).optional(),
    OVERDUE_S: seconds(1, 30 * DAY_S).prefault(String(DAY_S)),
    GATEWAY_STATUS_WORDS: setting(
      'a JSON object of whole statuses, each once, with processing, succeeded or failed, such as {"TXN_COMPLETED": "succeeded"}',
      read.statusWords,
    ).prefault('{}'),
    WITHDRAWAL_CONFIRM_ABOVE: setting(
      'amounts by currency code separated by commas, such as USDT=500,BTC=0.01,*=0 (* is for all others)',
      read.amountsByCode,
    ).prefault(''),
    WITHDRAWAL_LIMITS: setting(read.WITHDRAWAL_LIMITS_RULE, read.withdrawalLimits).prefault('{}'),
    WITHDRAWAL_RULES: setting(read.WITHDRAWAL_RULES_RULE, read.withdrawalRules).prefault('{}'),
    USER_CANCELLATION: setting('on or off', read.oneOf('on', 'off')).prefault('on'),
    DEPOSIT_MINIMUMS: setting(read.DEPOSIT_MINIMUMS_RULE, read.depositMinimums).prefault('{}'),
    VALUES: setting('on or off', read.oneOf('on', 'off')).prefault('on'),
    TWO_PERSONS_ABOVE: setting('amounts, as in WITHDRAWAL_CONFIRM_ABOVE', read.amountsByCode).prefault(''),
    OPERATORS: setting('on or off', read.oneOf('on', 'off')).prefault('on'),
    DOCS: setting('on or off', read.oneOf('on', 'off')).prefault('on'),
    ALLOW_INSECURE_HTTP: setting('on or off', read.oneOf('on', 'off')).prefault('off'),
    DRAIN_S: seconds(0, 300).prefault('5'),
    RATE_LIMIT: setting('on or off', read.oneOf('on', 'off')).prefault('on'),
    TRUST_PROXY: setting('how many proxies are in front, from 0 to 10', read.wholeNumber(0, 10)).prefault('0'),
    METRICS_TOKEN: setting('16 or more visible ASCII characters', (text) =>
      /^[!-~]{16,}$/.test(text) ? text : undefined,
    ).optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: setting('an http or https address, such as http://localhost:4318', (text) =>
      read.address(text) === undefined ? undefined : text,
    ).optional(),
    OTEL_EXPORTER_OTLP_PROTOCOL: setting(
      'http/protobuf or http/json',
      read.oneOf('http/protobuf', 'http/json'),
    ).prefault('http/protobuf'),
    OTEL_EXPORTER_OTLP_HEADERS: setting('headers as name=value separated by commas', read.headerValues).optional(),
    THEME_TOKENS: tokens.optional(),
    SUPPORT_URL: setting('an https address', (text) => {
      const found = read.address(text)
      return found?.protocol === 'https:' ? found.href : undefined
    }).optional(),
    EXPLORER_URL: setting(
      'an https address with {hash}, and optionally {network} (http only for localhost)',
      read.explorerTemplate,
    ).optional(),
    LOG_LEVEL: setting(LOG_LEVELS.join(', ').replace(/, (\w+)$/, ' or $1'), read.oneOf(...LOG_LEVELS)).prefault('info'),
    KEEP_STREAM_EVENTS_DAYS: days.prefault('7'),
    KEEP_WEBHOOKS_DAYS: days.prefault('90'),
    KEEP_SESSIONS_DAYS: days.prefault('30'),
    KEEP_MERCHANT_EVENTS_DAYS: days.prefault('400'),
  })

export type Variables = z.output<ReturnType<typeof variables>>

/** The text that stands for a missing variable; null if there is none. */
export const defaultText = (schema: z.ZodType): string | null =>
  schema instanceof z.ZodPrefault && schema.def.defaultValue !== '' ? String(schema.def.defaultValue) : null
