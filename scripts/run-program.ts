import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Signals that reach only this process. Ctrl-C also reaches the program, which is in the same process group. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const

/**
 * Runs a program in this terminal, without stdin, and resolves with its exit code (128 + n after signal n). A signal
 * that would end this process ends the program first. `output`: a file descriptor for the program's output.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  output: number | 'inherit' = 'inherit',
): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } })
  let received: NodeJS.Signals | null = null
  const passOn = (signal: NodeJS.Signals): void => {
    received = signal
    child.kill(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, passOn)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of PASSED_ON) process.off(name, passOn)
      if (received !== null && process.listenerCount(received) === 0) process.kill(process.pid, received)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
