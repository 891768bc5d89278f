/**
 * Runs one command and never lets it outlive the parent: `node scripts/supervisor.ts '{"command": "…", "args": […]}'`.
 * The command gets its own process group. When the supervisor's stdin closes (its parent stopped it, or was killed) or
 * the supervisor gets a signal, the group gets `signal`, and SIGKILL after `graceMs`. A line on stdin with a signal's
 * name is sent to the group. The exit code is the command's.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { Supervised } from './supervised-process.ts'

// Not parsed with a schema: each of hundreds of starts would load its library.
const { command, args, signal, graceMs, uid, gid, removeAfter } = JSON.parse(process.argv[2] ?? '') as Supervised

const child = spawn(command, args, {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid !== undefined && { uid }),
  ...(gid !== undefined && { gid }),
})

function signalGroup(name: string): void {
  if (child.pid === undefined || !(name in constants.signals)) return
  try {
    process.kill(-child.pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function stop(): void {
  signalGroup(signal)
  setTimeout(() => {
    signalGroup('SIGKILL')
  }, graceMs).unref()
}

createInterface({ input: process.stdin }).on('line', signalGroup).on('close', stop)
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, stop)

function exit(code: number): never {
  signalGroup('SIGKILL')
  for (const path of removeAfter) rmSync(path, { recursive: true, force: true })
  process.exit(code)
}
child.on('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`)
  exit(127)
})
child.on('exit', (code, name) => exit(code ?? 128 + (name === null ? 0 : constants.signals[name])))
