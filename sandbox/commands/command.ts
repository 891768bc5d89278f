import { parseArgs } from 'node:util'

export interface CommandOption {
  readonly name: string
  /** What the option takes, such as `URL`; null for a switch. */
  readonly takes: string | null
  readonly about: string
  readonly repeated?: true
}

/** One word after the program's name. */
export interface Command {
  readonly name: string
  readonly usage: string
  readonly about: string
  readonly options: readonly CommandOption[]
  /** Further paragraphs of its help. */
  readonly more?: string
  /** Resolves with the exit code. @throws UsageError */
  readonly run: (given: Given, print: Print) => Promise<number>
}

export type Print = (line: string) => void

/** The command line of a command: options by name, and the other words. */
export interface Given {
  readonly options: Readonly<Record<string, string | undefined>>
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>
  readonly switches: ReadonlySet<string>
  readonly words: readonly string[]
}

/** The command line cannot be used; the message says why. */
export class UsageError extends Error {}

export const SANDBOX_OPTION: CommandOption = {
  name: 'sandbox',
  takes: 'URL',
  about: 'the running sandbox [http://localhost:4010; SANDBOX_PORT sets another port]',
}

export const sandboxUrl = ({ options }: Given): string => {
  const given = options['sandbox'] ?? `http://localhost:${process.env['SANDBOX_PORT'] ?? '4010'}`
  if (!URL.canParse(given) || !/^https?:/.test(given)) throw new UsageError(`--sandbox must be a URL, not ${given}`)
  return new URL(given).origin
}

/** @throws UsageError for an unknown option, or one without its value */
export function readCommandLine(command: Command, args: readonly string[]): Given | 'help' {
  const options = Object.fromEntries(
    command.options.map(({ name, takes, repeated }) => [
      name,
      { type: takes === null ? 'boolean' : 'string', multiple: repeated ?? false } as const,
    ]),
  )
  let read
  try {
    read = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (error) {
    // Node's message ends with advice on positional arguments.
    const [message = ''] = error instanceof Error ? error.message.split('. To specify') : []
    throw new UsageError(message, { cause: error })
  }
  const { values, positionals: words } = read
  if (values.help === true) return 'help'
  const entries: readonly (readonly [string, unknown])[] = Object.entries(values)
  return {
    options: Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    lists: Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    words,
  }
}

const rowsOf = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
}

export const commandHelp = ({ usage, about, options, more }: Command): string =>
  [
    usage,
    '',
    about,
    '',
    ...rowsOf([
      ...options.map(
        ({ name, takes, about: what }) => [`--${name}${takes === null ? '' : ` ${takes}`}`, what] as const,
      ),
      ['--help', 'this text'],
    ]),
    ...(more === undefined ? [] : ['', more]),
  ].join('\n')

export const listOfCommands = (commands: readonly Command[]): readonly string[] =>
  rowsOf(commands.map(({ usage, about }) => [usage, about.split('\n')[0] ?? '']))
