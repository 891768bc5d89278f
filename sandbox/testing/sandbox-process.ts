import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { API_KEY, eventually, testMerchant } from './test-sandbox.ts'

type Env = Readonly<Record<string, string>>

export interface RunningProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Everything that it printed. */
  readonly said: () => string
}

export interface SandboxProcesses {
  /** A folder of the test, where its processes run. */
  readonly folder: () => string
  readonly run: (args: readonly string[], env?: Env) => RunningProcess
  /** A gateway that listens. */
  readonly start: (args?: readonly string[], env?: Env) => Promise<RunningProcess & { readonly url: string }>
  readonly ended: (args: readonly string[], env?: Env) => Promise<{ readonly code: number; readonly said: string }>
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Real processes of `sandbox/main.ts` for the tests of a file. They end with each test. */
export function sandboxProcesses(): SandboxProcesses {
  let folder = ''
  let children: RunningProcess['child'][] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    children = []
    writeFileSync(join(folder, 'merchant.pem'), testMerchant.public_key)
  })
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  function run(args: readonly string[], env: Env = {}): RunningProcess {
    const usual = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      SANDBOX_PORT: '0',
      SANDBOX_API_KEY: API_KEY,
    }
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: {
        ...usual,
        SANDBOX_MERCHANT_PUBLIC_KEY: `file:${join(folder, 'merchant.pem')}`,
        ...env,
      } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    children.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    return { child, said: () => text }
  }

  return {
    folder: () => folder,
    run,
    async start(args = [], env = {}) {
      const running = run(args, env)
      await eventually(running.said).toMatch(/listening on \S+\n/)
      return { ...running, url: /listening on (\S+)/.exec(running.said())?.[1] ?? '' }
    },
    async ended(args, env = {}) {
      const { child, said } = run(args, env)
      const [code] = (await once(child, 'close')) as [number]
      return { code, said: said() }
    },
  }
}
