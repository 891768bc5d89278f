import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commandText, scriptOf } from '#lib/server/runtime/command-text.ts'
import { OPERATOR_ROLES } from '#lib/contract/operate/operators.ts'
import { readVersion } from '#lib/server/runtime/version.ts'
import { PROGRAM_COMMANDS, type ProgramCommand, type ProgramCommandName } from './commands.ts'
import { argumentFault, asksForHelp, commandHelp, programHelp } from './help.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const PROGRAM = join(PROJECT, 'scripts/cashier.mjs')
const NAMES = Object.keys(PROGRAM_COMMANDS) as ProgramCommandName[]

const { scripts, bin } = z
  .object({ scripts: z.record(z.string(), z.string()), bin: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')))

/** Runs the program as a shell does. */
function cashier(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the server gets the options of Node that keep its memory small', () => {
  expect(scripts['start']).toContain('--max-semi-space-size=16 --conditions=react-server')
})

test('every command is a file, and a script of package.json calls it by the program', () => {
  expect(bin).toEqual({ cashier: 'scripts/cashier.mjs' })
  expect(NAMES.filter((name) => !existsSync(join(PROJECT, PROGRAM_COMMANDS[name].module)))).toEqual([])
  const called = NAMES.filter((name) => name !== 'version').map((name) => ({ name, script: scripts[scriptOf(name)] }))
  expect(called).toEqual(
    called.map(({ name }) => ({
      name,
      script: expect.stringMatching(`^node (--\\S+ )*scripts/cashier.mjs ${name}$`) as string,
    })),
  )
})

test.each(['start', 'doctor', 'demo'])(
  'npm’s %s needs no second start of Node: it gives the options itself',
  (name) => {
    const [, ...args] = (scripts[name] ?? '').split(' ')
    const show = "data:text/javascript,console.log('Node starts in',process.pid)"
    const { pid, stdout } = spawnSync(process.execPath, [`--import=${show}`, ...args, '--help'], {
      encoding: 'utf8',
      cwd: PROJECT,
    })
    expect(stdout.match(/Node starts in \d+/g)).toEqual([`Node starts in ${pid}`])
  },
)

test('the program replaces its process by one with the options that the command needs', () => {
  const { status, stdout } = cashier('secret', 'api-key')
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)])
  const show = 'data:text/javascript,console.log(process.pid,...process.execArgv.slice(1))'
  const started = spawnSync(process.execPath, [`--import=${show}`, PROGRAM, 'start', '--help'], { encoding: 'utf8' })
  const { pid } = started
  expect(started.stdout.split('\n').slice(0, 2)).toEqual([
    String(pid),
    `${pid} --max-semi-space-size=16 --conditions=react-server`,
  ])
})

test('--help lists every command with one line', () => {
  const { status, stdout, stderr } = cashier('--help')
  expect([status, stderr, stdout.trimEnd()]).toEqual([0, '', programHelp()])
  for (const name of NAMES) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w.+[^.]$`, 'm'))
})

test.each(NAMES)('%s --help tells usage, options and exit codes', (name) => {
  const { options, exitCodes }: ProgramCommand = PROGRAM_COMMANDS[name]
  const help = commandHelp(name)
  expect(help).toContain(commandText(name))
  for (const one of options) expect(help).toContain(`--${one.name}`)
  for (const code of ['0', ...Object.keys(exitCodes)]) expect(help).toMatch(new RegExp(`^  ${code}  \\w`, 'm'))
})

test.each(NAMES.filter((name) => PROGRAM_COMMANDS[name].options.length > 0))(
  '%s reads the options that its help names',
  (name) => {
    const { options, module }: ProgramCommand = PROGRAM_COMMANDS[name]
    const source = readFileSync(join(PROJECT, module), 'utf8')
    // init reads them from the table.
    const unread = options.filter(
      (one) => !source.includes('PROGRAM_COMMANDS.init.options') && !source.includes(one.name),
    )
    expect(unread).toEqual([])
  },
)

test("operator's help names the roles that exist", () => {
  expect(commandHelp('operator')).toContain(OPERATOR_ROLES.join(', ').replace(/, (?=\w+$)/, ' or '))
})

test.each([
  [[], 2, /^Usage: cashier COMMAND/],
  [['strat'], 2, /^cashier has no command "strat"\. Commands: start, demo, .*version\n$/],
  [['--frob'], 2, /^cashier has no option "--frob"\. Commands: start/],
  [['doctor', '--frob'], 2, /^cashier doctor: .*--frob.*Allowed: --backup, --backup-hours, --help\n\nnpm run doctor/],
  [['doctor', '--backup'], 2, /^cashier doctor: .*--backup.* argument missing/],
  [['check-ledger', 'word'], 2, /^cashier check-ledger does not take "word"\.\n\nnpm run check:ledger\n$/],
  [['check:ledger', 'word'], 2, /^cashier check-ledger does not take "word"/],
  [['demo', '--frob'], 1, /^cashier demo: .*--frob[^]*npm run demo -- \[options\]/],
  [['sandbox', '--frob'], 1, /--frob/],
] as const)('%j ends with %d and says what is allowed', (args, code, text) => {
  const { status, stdout, stderr } = cashier(...args)
  expect([status, stdout, stderr]).toEqual([code, '', expect.stringMatching(text)])
})

test('after --, what looks like an option is a word', () => {
  expect(argumentFault('erase-user', ['--', '--help'])).toBeNull()
  expect(asksForHelp(['--', '--help'])).toBe(false)
  expect(asksForHelp(['-h', '--', 'x'])).toBe(true)
})

test('a message names the command as it is started here: by npm in a clone, else by the program', () => {
  expect(commandText('check-gateway', '--user U', true)).toBe('npm run check:gateway -- --user U')
  expect(commandText('check-gateway', '--user U', false)).toBe('cashier check-gateway --user U')
  expect([commandText('start', '', true), commandText('start', '', false)]).toEqual(['npm start', 'cashier start'])
})

test('version tells what --version tells', () => {
  const { stdout } = cashier('version')
  expect(stdout).toContain(`cashier ${readVersion().version}`)
  expect(cashier('--version').stdout).toBe(stdout)
})
