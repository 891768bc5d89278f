/** Starts a command under `supervisor.ts`, so that it never outlives this process, and waits until it is ready. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const supervisor = fileURLToPath(new URL('supervisor.ts', import.meta.url))

export interface SupervisedProcess {
  /** The match of the ready pattern. */
  readonly ready: RegExpMatchArray
  /** All output on stdout and stderr so far. */
  output(): string
  /** Sends a signal to the process and its children. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code (128 + n after signal n) when the process has ended. */
  readonly exited: Promise<number>
  /** Stops the process and resolves with its exit code. May be called twice. */
  stop(): Promise<number>
}

/** The argument of `supervisor.ts`, as JSON. */
export interface Supervised {
  readonly command: string
  readonly args: readonly string[]
  readonly signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'
  /** The time between the signal and SIGKILL. */
  readonly graceMs: number
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Files and folders to remove after the process has ended. */
  readonly removeAfter: readonly string[]
}

export interface Command extends Pick<Supervised, 'command' | 'args'>, Partial<Omit<Supervised, 'command' | 'args'>> {
  /** The whole environment, not an addition to ours; only the variables of `PASSED_ON` are added. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The process is ready when its output matches. */
  readonly ready: RegExp
  readonly readyMs?: number
}

/** `orphans.ts` finds processes by `TEST_RUN`; the others are the folders for temporary files and compiled code. */
const PASSED_ON = ['TEST_RUN', 'TMPDIR', 'NODE_COMPILE_CACHE'] as const

const passedOn = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]))

/** @throws when the process ends, or is not ready within `readyMs` (90 s); the message contains its output. */
export async function startSupervised(options: Command): Promise<SupervisedProcess> {
  const { command, args, env, cwd, ready, readyMs = 90_000, signal = 'SIGTERM', graceMs = 30_000 } = options
  const { uid, gid, removeAfter = [] } = options
  const message = JSON.stringify({ command, args, signal, graceMs, uid, gid, removeAfter } satisfies Supervised)
  const childEnv = { ...env, ...passedOn() }
  const child = spawn(process.execPath, [supervisor, message], { cwd, env: childEnv, detached: true, stdio: 'pipe' })

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

  const readyMatch = await new Promise<RegExpMatchArray>((resolve, reject) => {
    const check = (): void => {
      const match = ready.exec(output)
      if (!match) return
      // A search in the whole output after each line of a long log takes time.
      for (const stream of [child.stdout, child.stderr]) stream.off('data', check)
      resolve(match)
    }
    const fail = (what: string): void => {
      reject(new Error(`${command} ${args.join(' ')} ${what}\n${output}`))
    }
    const timer = setTimeout(() => {
      fail(`was not ready after ${readyMs} ms`)
    }, readyMs)
    child.stdout.on('data', check)
    child.stderr.on('data', check)
    void exited.then((code) => {
      clearTimeout(timer)
      fail(`ended with ${code} before it was ready`)
    })
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })

  return {
    ready: readyMatch,
    output: () => output,
    signal: (name) => void child.stdin.write(`${name}\n`),
    exited,
    stop,
  }
}
