#!/usr/bin/env node
/**
 * `cashier COMMAND`: finds Node 24, starts it with the options that the command needs, and runs the command
 * (scripts/program/main.ts). Plain JavaScript, because an old Node cannot read TypeScript.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const WANTED = 24
const SERVER = ['--conditions=react-server']
/** Options of Node by command; the others get those of the server's code. */
const OPTIONS = { start: ['--max-semi-space-size=8', ...SERVER], demo: [], sandbox: [] }

/** Node refuses to run TypeScript below node_modules, where npm installs the program. */
const isInstalled = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url))
const TYPESCRIPT = `--import=${new URL('program/installed-typescript.mjs', import.meta.url).href}`

/** Where packages with a binary of Node keep it. */
const BINARIES = [
  `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  `node-bin-${process.platform}-${process.arch}`,
  'node',
]

/** The Node that came with the packages; null if there is none. */
function packagedNode() {
  const require = createRequire(import.meta.url)
  for (const name of BINARIES) {
    for (const folder of require.resolve.paths(name) ?? []) {
      const binary = join(folder, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
      if (existsSync(binary)) return binary
    }
  }
  return null
}

/** Replaces this process; where the system or an old Node cannot, runs a child and passes signals and the exit code on. */
function become(node, args, env) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') process.execve(node, [node, ...args], env)
  const child = spawn(node, args, { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

const major = Number(process.versions.node.split('.')[0])
const node = major === WANTED ? process.execPath : (packagedNode() ?? (major > WANTED ? process.execPath : null))
const wanted = OPTIONS[process.argv[2]] ?? SERVER
const lacksHook = isInstalled && !(process.env.NODE_OPTIONS ?? '').includes(TYPESCRIPT)

// Says what to do, and exits.
if (node === null) await import('./node-version.mjs')
else if (node !== process.execPath || lacksHook || wanted.some((option) => !process.execArgv.includes(option))) {
  const env = { ...process.env }
  // By the environment, so that the programs that this one starts have it too.
  if (lacksHook) env.NODE_OPTIONS = [process.env.NODE_OPTIONS, TYPESCRIPT].filter(Boolean).join(' ')
  // A name such as node_modules/.bin/cashier is a link to this file.
  const program = join(dirname(fileURLToPath(import.meta.url)), 'cashier.mjs')
  become(node, [...process.execArgv, ...wanted, program, ...process.argv.slice(2)], env)
} else await import('./program/main.ts')
