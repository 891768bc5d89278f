/** Starts a command under `keeper.ts`, so that it never outlives us, and waits until it says that it is ready. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const keeper = fileURLToPath(new URL('keeper.ts', import.meta.url))

export interface KeptProcess {
  /** What the ready pattern matched. */
  readonly ready: RegExpMatchArray
  /** Everything that it has printed so far, both streams. */
  output(): string
  /** Sends a signal to the process and its children. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code (128 + n after signal n) once it has gone, however that came. */
  readonly exited: Promise<number>
  /** Asks it to end, waits, and gives the exit code. Safe to call twice. */
  stop(): Promise<number>
}

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment, not an addition to ours; only the run's mark goes with it (`leftovers.ts`). */
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  /** It is ready when its output matches. */
  readonly ready: RegExp
  readonly readyMs?: number
  readonly signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'
  /** SIGKILL this long after the signal. */
  readonly graceMs?: number
  readonly uid?: number
  readonly gid?: number
  /** Files and folders to remove when it has gone. */
  readonly removeAfter?: readonly string[]
}

/** @throws when the process ends or stays silent for `readyMs` (30 s) before it is ready; with its output. */
export async function startKept(order: Command): Promise<KeptProcess> {
  const { command, args, env, cwd, ready, readyMs = 30_000, signal = 'SIGTERM', graceMs = 10_000 } = order
  const { uid, gid, removeAfter = [] } = order
  const message = JSON.stringify({ command, args, signal, graceMs, uid, gid, removeAfter })
  const marked = { ...env, TEST_RUN: process.env['TEST_RUN'] }
  const child = spawn(process.execPath, [keeper, message], { cwd, env: marked, detached: true, stdio: 'pipe' })

  let output = ''
  const collect = (chunk: string): void => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  child.stdin.on('error', () => undefined)
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? 128)

  const stop = (): Promise<number> => {
    child.stdin.end()
    return exited
  }

  const became = await new Promise<RegExpMatchArray>((resolve, reject) => {
    const look = (): void => {
      const match = ready.exec(output)
      if (match) resolve(match)
    }
    const fail = (what: string): void => {
      reject(new Error(`${command} ${args.join(' ')} ${what}\n${output}`))
    }
    const timer = setTimeout(() => {
      fail(`was not ready after ${readyMs} ms`)
    }, readyMs)
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    void exited.then((code) => {
      clearTimeout(timer)
      fail(`ended with ${code} before it was ready`)
    })
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })

  return {
    ready: became,
    output: () => output,
    signal: (name) => void child.stdin.write(`${name}\n`),
    exited,
    stop,
  }
}
