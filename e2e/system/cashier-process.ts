/** The cashier's server as a process that a test may kill and start again on the same port and the same books. */
import { resolve } from 'node:path'
import { startKept, type KeptProcess } from '../../scripts/kept-process.ts'
import type { Variables } from '../fixtures/processes.ts'

export interface CashierProcess {
  readonly url: string
  /** Starts it, where it does not run; resolves when it answers. */
  start(): Promise<void>
  /** `kill -9`; resolves when it has gone. */
  kill(): Promise<void>
  /** Asks it to end. Throws where it ends with a failure. */
  stop(): Promise<void>
  /** Everything that it has printed since it was started last. */
  output(): string
}

const entry = resolve(import.meta.dirname, 'api-server.ts')

/** @param env with a `PORT` of its own */
export function cashierProcess(env: Variables): CashierProcess {
  let running: KeptProcess | null = null
  let last: KeptProcess | null = null
  return {
    url: `http://localhost:${env['PORT'] ?? ''}`,
    async start() {
      running ??= await startKept({
        command: process.execPath,
        args: ['--conditions=react-server', entry],
        env: { PATH: process.env['PATH'], TZ: 'UTC', NODE_ENV: 'production', ...env },
        ready: /listening on (\S+)/,
      })
      last = running
    },
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
