/** The cashier's server as a process that a test can kill and restart on the same port and the same database. */
import { resolve } from 'node:path'
import { startSupervised, type SupervisedProcess } from '../../scripts/supervised-process.ts'
import type { EnvVariables } from '../fixtures/processes.ts'

export interface CashierProcess {
  readonly url: string
  /** The variables that it is started with. */
  readonly env: EnvVariables
  /** Starts the process unless it runs; resolves when it listens. @param sources the folder of another version */
  start(sources?: string): Promise<void>
  /** Sends a signal, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
  /** Stops it gracefully. @throws when the exit code is not 0 */
  stop(): Promise<void>
  /** All output since the last start. */
  output(): string
}

const PROJECT = resolve(import.meta.dirname, '../..')

/** @param env must have a `PORT` */
export function cashierProcess(env: EnvVariables): CashierProcess {
  let running: SupervisedProcess | null = null
  let last: SupervisedProcess | null = null
  return {
    url: `http://localhost:${env['PORT'] ?? ''}`,
    env,
    async start(sources = PROJECT) {
      running ??= await startSupervised({
        command: process.execPath,
        args: ['--conditions=react-server', resolve(sources, 'e2e/system/api-server.ts')],
        env: { PATH: process.env['PATH'], TZ: 'UTC', NODE_ENV: 'production', ...env },
        ready: /listening on (\S+)/,
      })
      last = running
    },
    signal: (name) => running?.signal(name),
    async kill() {
      running?.signal('SIGKILL')
      await running?.exited
      running = null
    },
    async stop() {
      const stopped = running
      running = null
      const code = await stopped?.stop()
      if (code !== undefined && code !== 0)
        throw new Error(`the cashier ended with ${code}\n${stopped?.output() ?? ''}`)
    },
    output: () => last?.output() ?? '',
  }
}
