/**
 * Starts a program of TypeScript with the Node that it needs. Plain JavaScript, because an old Node cannot read
 * TypeScript.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const WANTED = 24
const PARENT_CHECK_MS = 500

/** Node refuses to run TypeScript below node_modules, where npm installs a program. */
const isInstalled = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url))
const TYPESCRIPT = `--import=${new URL('installed-typescript.mjs', import.meta.url).href}`

/** Packages with a binary of Node: by system, or the one that `npm ci` installs in a clone. */
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

/** Replaces this process. Where Node or the system cannot, it runs a child, and passes on signals and the exit code. */
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

/** What npm calls the runs that end here with its shell, which passes no signal on. `start` and `sandbox` see to it. */
const STOPPED_WITH_NPM = ['npx', 'demo']

/** If the shell has ended, npm was stopped. */
function stopWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}

/**
 * @param entry URL of the file that was called
 * @param module URL of the program
 * @param options of Node, which the program needs
 * @param variables of the environment, for a Node that is started here
 */
export async function launch(entry, module, options = [], variables = {}) {
  const major = Number(process.versions.node.split('.')[0])
  const node = major === WANTED ? process.execPath : (packagedNode() ?? (major > WANTED ? process.execPath : null))
  const lacksHook = isInstalled && !(process.env.NODE_OPTIONS ?? '').includes(TYPESCRIPT)
  // Says what to do, and exits.
  if (node === null) await import('./node-version.mjs')
  else if (node !== process.execPath || lacksHook || options.some((one) => !process.execArgv.includes(one))) {
    const env = { ...variables, ...process.env }
    // By the environment, so that the programs that this one starts have it too.
    if (lacksHook) env.NODE_OPTIONS = [process.env.NODE_OPTIONS, TYPESCRIPT].filter(Boolean).join(' ')
    become(node, [...process.execArgv, ...options, fileURLToPath(entry), ...process.argv.slice(2)], env)
  } else {
    if (STOPPED_WITH_NPM.includes(process.env.npm_lifecycle_event)) stopWithNpm()
    // By import, because an old Node cannot load it.
    if (!isInstalled) (await import('./without-types.mjs')).useCopies()
    await import(module)
  }
}
