import { format, stripVTControlCharacters } from 'node:util'
import { pino, type DestinationStream, type Logger } from 'pino'
import { serverAddress } from '../store/database/server-address.ts'
import type { Config, Settings } from './config/config.ts'
import { outageLines } from './outage-log.ts'

export type Log = Logger

/** For lines with only our own fields: redaction costs more than writing them. */
export const withoutRedaction = (log: Log): Log => log.child({}, { redact: [] })

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

/** The most characters of one text in a line, whoever wrote it. */
const MOST_TEXT = 500
const MOST_STACK = 4000

const cut = (text: string, most = MOST_TEXT): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}… (${text.length} characters)` : text

/**
 * A line with each of its texts cut. Every line passes here, so no writer of a line has to know which of its texts come
 * from others.
 */
function shortened(line: string): string {
  if (line.length <= MOST_TEXT) return line
  const short = JSON.stringify(JSON.parse(line), (key, value: unknown) =>
    typeof value === 'string' ? cut(value, key === 'stack' ? MOST_STACK : MOST_TEXT) : value,
  )
  return `${short}\n`
}

/** An address, a hash or a key: long, of letters and digits. */
const isKeyLike = (word: string): boolean => word.length >= 25 && !word.includes('_') && /\d/.test(word)

/** A foreign error message without addresses, hashes and keys, in a readable length. */
const clean = (message: string): string =>
  cut(message).replaceAll(/\w+/g, (word) => (isKeyLike(word) ? '[struck]' : word))

/** The stack's lines with places, without the message above them. */
const placesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
    .slice(0, MOST_STACK)

/** An error without its other properties: a database's error contains the values of the row. */
function describe(error: unknown, depth = 0): Described | undefined {
  if (!(error instanceof Error))
    return error === undefined ? undefined : { type: typeof error, message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause = depth < 3 && error.cause !== undefined ? describe(error.cause, depth + 1) : undefined
  return {
    type: error.name,
    message: clean(error.message),
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: placesOf(error.stack) }),
    ...(cause !== undefined && { cause }),
  }
}

/** A shorter secret would be replaced inside ordinary words, which spoils the line and reveals the secret. */
const LEAST_STRUCK_OUT = 12

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The secrets that no line may contain. */
export function secretsOf(
  config: Pick<Config, 'sessionSecrets' | 'merchantApiKeys' | 'databaseUrl'> &
    Pick<Settings, 'gateway' | 'metricsToken' | 'merchantWebhookSecrets' | 'tracing'>,
): readonly string[] {
  const [server] = serverAddress(config.databaseUrl)?.urls ?? []
  const password = server === undefined ? '' : new URL(server).password
  return [
    ...config.sessionSecrets,
    ...config.merchantApiKeys,
    config.gateway.apiKey,
    config.metricsToken ?? '',
    ...config.merchantWebhookSecrets,
    ...(config.tracing?.headerValues ?? []).flatMap((value) => [value, decoded(value)]),
    password,
    decoded(password),
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
    return shortened(clean)
  }
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
    serializers: { err: (error: unknown) => describe(error) },
    hooks: { streamWrite, logMethod: outageLines() },
  }
  return pino(options, destination ?? standardOutput())
}

/** Write-behind: a line waits while the one before it is written. */
function standardOutput(): DestinationStream {
  // With a least length, `flush` waits for what is being written.
  const output = pino.destination({ dest: 1, minLength: 1 })
  // The library calls it for a fatal line and at the exit. Where the reader has gone, it would try again for ever.
  output.flushSync = () => undefined
  return output
}

/** How long the last lines may take. */
const LAST_LINES_MS = 2000

/**
 * Ends the process once its last lines are written, or cannot be. While somebody has the other end of a full pipe and
 * does not read, an exit would wait for the write.
 */
export function exitAfter(log: Log, code: number): Promise<never> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_LINES_MS)
  log.flush(() => process.exit(code))
  return new Promise(() => undefined)
}

/** Says that the process listens, at every `LOG_LEVEL`: programs wait for this line. */
export const logListening = (
  log: Log,
  { port, publicUrl }: { readonly port: number; readonly publicUrl: string },
): void =>
  log.child({}, { level: 'info' }).info({ port, public_url: publicUrl }, `listening on http://localhost:${port}`)

const MOST_CONSOLE = 2000

/** Sends the output of libraries through the log: one short line, without our secrets. */
export function consoleToLog(
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  target: Pick<Console, 'log' | 'info' | 'warn' | 'error'> = console,
): void {
  const line = (words: readonly unknown[]): string => {
    const text = stripVTControlCharacters(
      words.map((word) => (word instanceof Error ? word.message : format(word))).join(' '),
    )
    return clean(text.slice(0, MOST_CONSOLE))
  }
  target.log = target.info = (...words: readonly unknown[]) => log.info({ printed: line(words) }, 'a library printed')
  target.warn = (...words: readonly unknown[]) => log.warn({ printed: line(words) }, 'a library printed a warning')
  target.error = (...words: readonly unknown[]) => log.error({ printed: line(words) }, 'a library printed an error')
}
