import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Signals that reach only this process. Ctrl-C also reaches a program in the same session. */
const ONLY_HERE = ['SIGTERM', 'SIGHUP'] as const

/** Linux may weigh sessions first, and only then the processes of each. */
function lower(pid: number, priority: number): void {
  setPriority(pid, priority)
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(priority))
  } catch {
    // This system does not weigh sessions.
  }
}

export interface ProgramOptions {
  /** A file descriptor for the program's output. */
  readonly output?: number | 'inherit'
  /** Of the program and its children, which get a session of their own: 19 is the lowest. */
  readonly priority?: number
}

/**
 * Runs a program in this terminal, without stdin, and resolves with its exit code (128 + n after signal n). A signal
 * that would end this process ends the program first.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  { output = 'inherit', priority }: ProgramOptions = {},
): Promise<number> {
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    detached: priority !== undefined,
  })
  if (priority !== undefined && child.pid !== undefined) lower(child.pid, priority)
  let received: NodeJS.Signals | null = null
  const passOn = (signal: NodeJS.Signals): void => {
    received = signal
    child.kill(signal)
  }
  const passedOn = priority === undefined ? ONLY_HERE : ([...ONLY_HERE, 'SIGINT'] as const)
  for (const signal of passedOn) process.on(signal, passOn)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of passedOn) process.off(name, passOn)
      if (received !== null && process.listenerCount(received) === 0) process.kill(process.pid, received)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
