/** The commands of the program `cashier`. What `--help` says, and which options a command takes, comes from here. */

export interface CommandOption {
  /** Without `--`. */
  readonly name: string
  /** What follows the option; null if nothing does. */
  readonly value: string | null
  readonly about: string
}

export interface ProgramCommand {
  /** One line, without a full stop. */
  readonly summary: string
  /** What follows the name, a line for each way to call it. */
  readonly usage: readonly string[]
  /** The greatest number of arguments that are not options. */
  readonly words: number
  readonly options: readonly CommandOption[]
  /** What the module, a path in this project, is told by its arguments. */
  readonly module: string
  readonly exitCodes: Readonly<Record<number, string>>
  /** The exit code for arguments that are not allowed. */
  readonly misuse: number
  /** It reads its arguments, `--help` too, itself. */
  readonly readsArguments?: true
}

const option = (name: string, value: string | null, about: string): CommandOption => ({ name, value, about })
const MISUSE = 'the arguments are not allowed'

/** A command without arguments, unless `more` says otherwise. */
const command = (
  summary: string,
  module: string,
  exitCodes: Readonly<Record<number, string>>,
  more: Partial<ProgramCommand> = {},
): ProgramCommand => {
  const { misuse = 2 } = more
  return {
    summary,
    module,
    usage: [''],
    words: 0,
    options: [],
    ...more,
    misuse,
    exitCodes: { ...exitCodes, [misuse]: [exitCodes[misuse], MISUSE].filter(Boolean).join('; or ') },
  }
}

const ROLE = option('role', 'ROLE', 'viewer, agent or admin')

export const PROGRAM_COMMANDS = {
  start: command('serves the cashier', 'server.ts', {
    0: 'it was stopped by SIGTERM or SIGINT',
    1: 'it could not start, such as for a fault of the settings',
  }),
  demo: command(
    'runs a sandbox gateway, a cashier and a shop, to look at',
    'scripts/demo.ts',
    { 0: 'it was stopped', 1: 'a program did not start, or has stopped', 2: 'two options exclude each other' },
    {
      usage: ['[options]'],
      options: [
        option('fresh', null, 'delete the data, keys and secrets of earlier runs'),
        option('merchant-decides', null, "the shop authorizes each withdrawal, instead of the cashier's ledger"),
        option('backend', 'ORIGIN', 'no shop: a backend of your own, with the routes of examples/backends'),
        option('troubles', null, 'one of each trouble waits in the console (not with --merchant-decides)'),
        option('port-offset', 'N', 'added to the default ports 4010, 3000 and 4020'),
      ],
      misuse: 1,
    },
  ),
  sandbox: command(
    'plays the payment gateway, with every state and every fault',
    'sandbox/main.ts',
    { 0: 'it was stopped', 1: 'it could not start' },
    { usage: ['[options]'], readsArguments: true, misuse: 1 },
  ),
  doctor: command(
    'tests the settings in use, and says how to fix each fault',
    'scripts/doctor.ts',
    { 0: 'no faults', 1: 'there are faults' },
    {
      usage: ['[--backup FILE_OR_FOLDER [--backup-hours 26]]'],
      options: [
        option('backup', 'PATH', 'also check the age and pages of this backup, or of the newest one in this folder'),
        option('backup-hours', 'N', 'the greatest age in hours [26]'),
      ],
    },
  ),
  init: command(
    'writes .env with new keys and secrets, and asks for what a start needs',
    'scripts/program/init.ts',
    { 0: 'the file is written', 1: 'an answer is not allowed, or the file exists', 2: 'an answer is missing' },
    {
      usage: ['[options]'],
      options: [
        option('gateway-base-url', 'URL', 'the address of the gateway'),
        option('gateway-api-key', 'KEY', 'your API key, from its console'),
        option('gateway-public-key', 'KEY', "the gateway's public key: file:PATH, or base64 of its PEM"),
        option('gateway-merchant-reference', 'NAME', "the gateway's name for you [none]"),
        option('public-url', 'ORIGIN', 'the origin that users reach'),
        option('embed-origins', 'ORIGINS', 'the origins of your site, separated by commas'),
        option('onramp-origins', 'ORIGINS', "the origins of the payment provider's pages [none: no buying]"),
        option('database-url', 'URL', 'file:PATH or postgres://… [file:./data/cashier.db]'),
        option('allow-insecure-http', null, 'allow plain http to other machines'),
        option('file', 'PATH', 'the file to write [.env]'),
        option('force', null, 'overwrite the file, and so the keys and secrets in it'),
      ],
    },
  ),
  backup: command(
    'copies the SQLite database into a file, while the cashier runs',
    'scripts/backup.ts',
    { 0: 'the backup is made', 1: 'no backup was made', 2: 'the database is PostgreSQL' },
    { usage: ['FILE'], words: 1 },
  ),
  'restore-check': command(
    'restores a backup into a temporary folder and checks it',
    'scripts/restore-check.ts',
    { 0: 'the backup can be restored', 1: 'it cannot be used', 2: 'it is a dump, to be restored first' },
    { usage: ['FILE', 'postgres://…'], words: 1 },
  ),
  restored: command(
    'tells the database that it was restored from a backup',
    'scripts/after-restore.ts',
    { 0: 'done', 1: 'an instance runs, or the database cannot be used' },
    { usage: ['[--force]'], options: [option('force', null, 'do not wait for instances that were killed')] },
  ),
  'check-ledger': command("checks the ledger's invariants", 'scripts/check-ledger.ts', {
    0: 'none is violated',
    1: 'one is violated, or the database cannot be used',
  }),
  'check-gateway': command(
    "compares the gateway's lists with the books",
    'scripts/check-gateway.ts',
    { 0: 'they agree', 1: 'they differ', 2: 'a list could not be read, or there is no such user' },
    { usage: ['[--user U]'], options: [option('user', 'U', 'only this user_reference_id')] },
  ),
  'check-audit': command(
    'checks the chain of the audit log',
    'scripts/check-audit.ts',
    { 0: 'it is whole', 1: 'it is broken, or the database cannot be used' },
    {
      usage: ['[--end ENTRIES:HASH]'],
      options: [option('end', 'ENTRIES:HASH', "an earlier end, from the cashier's log, to compare")],
    },
  ),
  'copy-database': command(
    'copies a SQLite database to PostgreSQL',
    'scripts/copy-database.ts',
    { 0: 'done', 1: 'nothing was copied or changed' },
    {
      usage: [
        'file:./data/cashier.db postgres://…',
        '--undo file:./data/cashier.db postgres://…',
        '--undo --gone file:./data/cashier.db',
      ],
      words: 2,
      options: [
        option('undo', null, 'use the source again after a copy'),
        option('gone', null, 'the copy does not exist any more'),
      ],
    },
  ),
  'erase-user': command(
    "erases a user's personal data",
    'scripts/erase-user.ts',
    { 0: 'erased', 1: 'nothing is stored, or something is open' },
    { usage: ['<user_reference_id>'], words: 1 },
  ),
  operator: command(
    'says who may use the console',
    'scripts/operator.ts',
    { 0: 'done', 1: 'refused, with the reason' },
    {
      usage: [
        'invite NAME --role ROLE          a new operator',
        'invite NAME                      a further passkey',
        'list',
        'disable NAME',
        'enable NAME',
        'role NAME --role ROLE',
        'revoke-passkey NAME PASSKEY_ID   the id from the list',
      ],
      words: 3,
      options: [ROLE],
    },
  ),
  secret: command(
    'prints a new secret, and does not store it',
    'scripts/secret.ts',
    { 0: 'printed' },
    {
      usage: [
        'webhook    MERCHANT_WEBHOOK_SECRET',
        'api-key    MERCHANT_API_KEY',
        'session    SESSION_SECRET',
        'metrics    METRICS_TOKEN',
      ],
      words: 1,
    },
  ),
  version: command('prints the version', 'scripts/program/version.ts', { 0: 'printed' }),
} as const satisfies Readonly<Record<string, ProgramCommand>>

export type ProgramCommandName = keyof typeof PROGRAM_COMMANDS

export const isCommandName = (name: string): name is ProgramCommandName => Object.hasOwn(PROGRAM_COMMANDS, name)
