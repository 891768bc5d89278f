/**
 * Runs one command and outlives nobody: `node scripts/keeper.ts '{"command": "…", "args": […]}'`.
 * The command gets a process group of its own. When the keeper's stdin ends (its parent stopped it, or died by
 * whatever signal) or it is told to stop, the group gets `signal`, then SIGKILL after `graceMs`. A line on stdin that
 * names a signal is sent to the group. It exits as the command did.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const order = z.object({
  command: z.string(),
  args: z.array(z.string()),
  signal: z.enum(['SIGTERM', 'SIGINT', 'SIGKILL']),
  graceMs: z.number(),
  uid: z.number().optional(),
  gid: z.number().optional(),
  removeAfter: z.array(z.string()),
})
const { command, args, signal, graceMs, uid, gid, removeAfter } = order.parse(JSON.parse(process.argv[2] ?? ''))

const child = spawn(command, args, {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid !== undefined && { uid }),
  ...(gid !== undefined && { gid }),
})

function tellGroup(name: string): void {
  if (child.pid === undefined || !(name in constants.signals)) return
  try {
    process.kill(-child.pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function stop(): void {
  tellGroup(signal)
  setTimeout(() => {
    tellGroup('SIGKILL')
  }, graceMs).unref()
}

createInterface({ input: process.stdin }).on('line', tellGroup).on('close', stop)
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, stop)

function leave(code: number): never {
  tellGroup('SIGKILL')
  for (const path of removeAfter) rmSync(path, { recursive: true, force: true })
  process.exit(code)
}
child.on('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`)
  leave(127)
})
child.on('exit', (code, name) => leave(code ?? 128 + (name === null ? 0 : constants.signals[name])))
