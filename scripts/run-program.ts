import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in this terminal, without stdin, and resolves with its exit code (128 + n after signal n). Ctrl-C
 * reaches it too, because it is in our process group. `output`: a file descriptor for what it prints.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  output: number | 'inherit' = 'inherit',
): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}
