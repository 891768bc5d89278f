import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config, Settings } from './config/config.ts'

export type Log = Logger

/** Names whose values are redacted, at the first three depths. */
const SECRET_NAMES = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'token', 'launch_token', 'api_key']
const redacted = SECRET_NAMES.flatMap((name) => ['', '*.', '*.*.'].map((prefix) => `${prefix}["${name}"]`)).map(
  (path) => path.replace('.[', '['),
)

interface Described {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: Described
}

/** An error without its other properties: a database's error has the values of the row. */
function describe(error: unknown, depth = 0): Described | undefined {
  if (!(error instanceof Error))
    return error === undefined ? undefined : { type: typeof error, message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = depth < 3 && error.cause !== undefined ? describe(error.cause, depth + 1) : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && { cause }),
  }
}

/** A shorter one would be struck out of ordinary words, which spoils the line and gives the secret away. */
const LEAST_STRUCK_OUT = 12

/** The secrets that no line may contain. */
export function secretsOf(
  config: Pick<Config, 'sessionSecrets' | 'merchantApiKeys' | 'databaseUrl'> &
    Pick<Settings, 'gateway' | 'metricsToken' | 'merchantWebhookSecrets'>,
): readonly string[] {
  const password = URL.canParse(config.databaseUrl) ? new URL(config.databaseUrl).password : ''
  return [
    ...config.sessionSecrets,
    ...config.merchantApiKeys,
    config.gateway.apiKey,
    config.metricsToken ?? '',
    ...config.merchantWebhookSecrets,
    password,
    decodeURIComponent(password),
  ].filter((secret) => secret.length >= LEAST_STRUCK_OUT)
}

export interface LogOptions {
  readonly level: string
  readonly secrets: readonly string[]
  /** Standard output by default. */
  readonly destination?: DestinationStream
}

/** Logs one JSON line for each event on standard output. */
export function createLog({ level, secrets, destination }: LogOptions): Log {
  const written = secrets.map((secret) => JSON.stringify(secret).slice(1, -1))
  const streamWrite = (line: string): string => {
    let clean = line
    for (const secret of written) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]')
    return clean
  }
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
    serializers: { err: (error: unknown) => describe(error) },
    hooks: { streamWrite },
  }
  return destination ? pino(options, destination) : pino(options)
}
