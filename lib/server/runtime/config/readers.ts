/** Parsers, each for one kind of setting; `undefined` for an invalid text. */
import { JsonFault, parseLosslessJson } from '../../gateway/lossless-json.ts'
import type { WithdrawalRules } from '../../ledger/withdrawal-rules.ts'
import type { StatusMeaning, StatusWords } from '../../gateway/status-words.ts'
import { serverAddress } from '../../store/database/server-address.ts'
import { canonical, compare, isDecimal, isNegative, isPositive, type Decimal } from '#lib/contract/money.ts'
import type { ToldLimits } from '#lib/contract/told-limits.ts'
import { readThemeTokens, type ThemeTokens } from '#lib/contract/read-theme-tokens.ts'

const HOST_PATTERN = /^https:\/\/\*\.((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63})$/
const WEBHOOK_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const MIN_WEBHOOK_SECRET_BYTES = 16
const AMOUNT_OF_CODE = /^(\*|[A-Za-z0-9][A-Za-z0-9._-]{0,31})\s*=\s*((?:0|[1-9]\d{0,59})(?:\.\d{1,30})?)$/

/** True for addresses that browsers treat as safe without TLS. */
export const isLocalHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname)

/** The port of a plain http origin on this machine; null for any other: the cashier itself speaks no TLS. */
export function localPort(origin: string): number | null {
  const { protocol, hostname, port } = new URL(origin)
  return protocol === 'http:' && isLocalHost(hostname) ? Number(port || '80') : null
}

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    if (!/^\d{1,10}$/.test(text)) return undefined
    const value = Number(text)
    return value >= least && value <= most ? value : undefined
  }

/** An http or https URL, normalized by `URL`. */
export function address(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
    ? url
    : undefined
}

/** `https://host[:port]`, normalized by `URL`; a trailing slash is accepted, a path is not. */
export function origin(text: string): string | undefined {
  const url = address(text)
  return url !== undefined && url.pathname === '/' && url.search === '' ? url.origin : undefined
}

export const list =
  <T>(read: (text: string) => T | undefined) =>
  (text: string): readonly T[] | undefined => {
    const values: T[] = []
    for (const part of text.split(',').map((one) => one.trim())) {
      if (part === '') continue
      const value = read(part)
      if (value === undefined) return undefined
      if (!values.includes(value)) values.push(value)
    }
    return values
  }

/** An on-ramp's origin, `https://*.host` for every host below it, or `https:`. Plain http only on this machine. */
export function onrampPattern(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (lower === 'https:' || HOST_PATTERN.test(lower)) return lower
  const found = origin(text)
  if (found === undefined || found.includes('*')) return undefined
  return found.startsWith('https:') || isLocalHost(new URL(found).hostname) ? found : undefined
}

/** The URL of a transaction's page with `{hash}` and optionally `{network}`, unchanged. */
export function explorerTemplate(text: string): string | undefined {
  const filled = address(text.replaceAll('{network}', 'n').replaceAll('{hash}', 'h').replace('/#/', '/'))
  if (filled === undefined || !text.includes('{hash}') || !URL.canParse(text)) return undefined
  const isSafe = filled.protocol === 'https:' || isLocalHost(filled.hostname)
  return isSafe && filled.origin === new URL(text).origin ? text : undefined
}

/** Secrets of at least `least` characters, as a comma-separated list for rotation. */
export const secrets =
  (least: number) =>
  (text: string): readonly [string, ...string[]] | undefined => {
    const [first, ...more] = text.split(',').map((one) => one.trim())
    return first !== undefined && [first, ...more].every((one) => one.length >= least) ? [first, ...more] : undefined
  }

/** Bearer keys that a header can carry. */
export function bearerKeys(text: string): readonly [string, ...string[]] | undefined {
  const keys = secrets(32)(text)
  return keys?.every((key) => /^[!-~]+$/.test(key)) ? keys : undefined
}

/** Secrets of Standard Webhooks; each in the comma-separated list signs. */
export function webhookSecrets(text: string): readonly string[] | undefined {
  const given = text.split(',').map((one) => one.trim())
  const isStrong = (one: string): boolean =>
    Buffer.from(WEBHOOK_SECRET.exec(one)?.[1] ?? '', 'base64').length >= MIN_WEBHOOK_SECRET_BYTES
  return given.every(isStrong) ? [...new Set(given)] : undefined
}

/** The value of a JSON text; undefined if it is not JSON, or has a key twice. */
function jsonOf(text: string): unknown {
  try {
    return parseLosslessJson(Buffer.from(text))
  } catch (error) {
    if (error instanceof JsonFault) return undefined
    throw error
  }
}

const STATUS_MEANINGS = ['processing', 'succeeded', 'failed'] as const satisfies readonly StatusMeaning[]

/** A JSON object of the gateway's statuses; the returned map has them in upper case, each once. */
export function statusWords(text: string): StatusWords | undefined {
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value).map(
    ([word, meaning]) => [word.trim().toUpperCase(), STATUS_MEANINGS.find((one) => one === meaning)] as const,
  )
  const words = new Map<string, StatusMeaning>()
  for (const [word, meaning] of entries) {
    if (word === '' || meaning === undefined || words.has(word)) return undefined
    words.set(word, meaning)
  }
  return words
}

const LIMIT_NAMES: readonly string[] = ['min', 'max', 'fee'] satisfies (keyof ToldLimits)[]
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A plain decimal, as a JSON text or number. */
const amountThat =
  (fits: (amount: Decimal) => boolean) =>
  (value: unknown): Decimal | undefined =>
    typeof value === 'string' && value.length <= 100 && isDecimal(value) && fits(value) ? canonical(value) : undefined
const positiveAmount = amountThat(isPositive)
/** A merchant may say that a withdrawal costs nothing. */
const feeAmount = amountThat((amount) => !isNegative(amount))

/** A JSON object by currency id or `CODE@network`, each once in any case; the returned names are in lower case. */
function byCurrency<T>(text: string, read: (value: unknown) => T | undefined): ReadonlyMap<string, T> | undefined {
  const value = jsonOf(text)
  if (!isObject(value)) return undefined
  const found = new Map<string, T>()
  for (const [given, of] of Object.entries(value)) {
    const name = given.trim().toLowerCase()
    const one = read(of)
    if (name === '' || one === undefined || found.has(name)) return undefined
    found.set(name, one)
  }
  return found
}

function toldLimits(value: unknown): ToldLimits | undefined {
  if (!isObject(value) || Object.keys(value).some((name) => !LIMIT_NAMES.includes(name))) return undefined
  const entries = Object.entries(value).map(
    ([name, amount]) => [name, (name === 'fee' ? feeAmount : positiveAmount)(amount)] as const,
  )
  if (entries.some(([, amount]) => amount === undefined)) return undefined
  const limits: ToldLimits = Object.fromEntries(entries)
  return limits.min !== undefined && limits.max !== undefined && compare(limits.min, limits.max) > 0
    ? undefined
    : limits
}

export const WITHDRAWAL_LIMITS_RULE =
  'a JSON object by currency id or CODE@network, such as {"USDT@Tron": {"min": "10", "max": "5000", "fee": "1"}}'
export const withdrawalLimits = (text: string) => byCurrency(text, toldLimits)

export const DEPOSIT_MINIMUMS_RULE = 'a JSON object by currency id or CODE@network, such as {"USDT@Tron": "5"}'
export const depositMinimums = (text: string) => byCurrency(text, positiveAmount)

/** A plain decimal, as a JSON text or number. */
const notNegative = (value: unknown): Decimal | undefined =>
  typeof value === 'string' && value.length <= 100 && isDecimal(value) && !value.startsWith('-')
    ? canonical(value)
    : undefined

/** A whole JSON number. */
const wholeJson =
  (least: number, most: number) =>
  (value: unknown): number | undefined =>
    typeof value === 'string' ? wholeNumber(least, most)(value) : undefined

const RULE_READERS: { readonly [Name in keyof WithdrawalRules]-?: (value: unknown) => WithdrawalRules[Name] } = {
  review_above: notNegative,
  review_new_address: (value) => value === true || undefined,
  review_more_than: (value) => {
    if (!isObject(value) || Object.keys(value).some((name) => name !== 'count' && name !== 'hours')) return undefined
    const [count, hours] = [wholeJson(1, 10_000)(value['count']), wholeJson(1, 8760)(value['hours'])]
    return count === undefined || hours === undefined ? undefined : { count, hours }
  },
  wait_for_new_address_s: (value) => wholeJson(1, 30 * 86_400)(value),
}

const isRuleName = (name: string): name is keyof WithdrawalRules => Object.hasOwn(RULE_READERS, name)

/** An empty object is an exception to the rules of `*`. */
function rulesOfCurrency(value: unknown): WithdrawalRules | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).map(
    ([name, given]) => [name, isRuleName(name) ? RULE_READERS[name](given) : undefined] as const,
  )
  return entries.some(([, rule]) => rule === undefined) ? undefined : Object.fromEntries(entries)
}

export const WITHDRAWAL_RULES_RULE =
  'a JSON object by currency code, CODE@network or *, such as {"*": {"review_above": "1000", "review_new_address": true, "review_more_than": {"count": 5, "hours": 24}, "wait_for_new_address_s": 3600}}'
export const withdrawalRules = (text: string) => byCurrency(text, rulesOfCurrency)

export const DATABASE_URL_RULE =
  'file: and a path, or postgres://…, with `#%/?@` of user and password percent-encoded: %23, %25, %2F, %3F, %40'

/** PostgreSQL's client decodes each part of the address, and throws for a `%` that encodes nothing. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent([username, password, pathname].join(' '))
    return true
  } catch {
    return false
  }
}

export function databaseUrl(text: string): string | undefined {
  if (text.startsWith('file:')) return text.length > 'file:'.length ? text : undefined
  const address = serverAddress(text)
  return address?.urls.every((url) => isDecodable(new URL(url))) === true && !text.includes('#') ? text : undefined
}

export const DATABASE_PARTITIONS_RULE = 'a whole number from 2 to 1024, with PostgreSQL'

export const databasePartitions = wholeNumber(2, 1024)

/** JSON of names and values; the fault names every wrong one. */
export function themeTokens(text: string): { readonly tokens: ThemeTokens } | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'must be JSON' }
  }
  const read = readThemeTokens(value)
  return read.ok ? { tokens: read.tokens } : { fault: read.faults.join('; ') }
}

/** The values of headers in the format `name=value,name=value`, percent-encoded. Empty parts are skipped. */
export function headerValues(text: string): readonly string[] | undefined {
  const parts = text.split(',').filter((one) => one.trim() !== '')
  const values = parts.map((one) => {
    const [name = '', ...value] = one.split('=')
    return value.length > 0 && HEADER_NAME.test(name.trim()) ? value.join('=').trim() : undefined
  })
  return values.every((one) => one !== undefined) ? values : undefined
}

export const oneOf =
  <const T extends string>(...words: readonly T[]) =>
  (text: string): T | undefined =>
    words.find((word) => word === text)

/** `CODE=amount`, separated by commas; `*` is a code too. Returns amounts by upper-case code, each once. */
export function amountsByCode(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(',').map((one) => one.trim())
  const entries: (readonly [string, string])[] = []
  for (const part of parts.filter((one) => one !== '')) {
    const [, code, amount] = AMOUNT_OF_CODE.exec(part) ?? []
    if (code === undefined || amount === undefined) return undefined
    entries.push([code.toUpperCase(), amount])
  }
  const amounts = Object.fromEntries(entries)
  return Object.keys(amounts).length === entries.length ? amounts : undefined
}
