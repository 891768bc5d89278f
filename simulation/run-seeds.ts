/** Runs many seeds in worker processes. Each worker runs one seed at a time. */
import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { SeedReport, SeedTask } from './worker.ts'

export interface SeedRun {
  readonly tasks: Iterator<SeedTask>
  readonly workers?: number
  readonly onReport?: (report: SeedReport) => void
  /** When it returns true, no further seed is started. */
  readonly isOver?: () => boolean
}

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
/** A world that takes longer counts as hanging. */
const LONGEST_MS = 600_000

function startWorker(): ChildProcess {
  return fork(WORKER, {
    execArgv: ['--conditions=react-server', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
}

/** Gives one worker seeds until no seed is left. */
function serve(worker: ChildProcess, { tasks, onReport, isOver }: SeedRun): Promise<void> {
  return new Promise((resolve, reject) => {
    let under: SeedTask | null = null
    let timer: NodeJS.Timeout | undefined
    const goOn = (): void => {
      clearTimeout(timer)
      const next = isOver?.() === true ? null : tasks.next()
      if (next === null || next.done === true) {
        under = null
        worker.disconnect()
        resolve()
        return
      }
      under = next.value
      timer = setTimeout(() => {
        reject(new Error(`seed ${under?.seed ?? ''} does not end`))
        worker.kill('SIGKILL')
      }, LONGEST_MS)
      worker.send(under)
    }
    worker.on('message', (message: SeedReport | 'ready') => {
      if (message !== 'ready') onReport?.(message)
      goOn()
    })
    worker.once('exit', (code) => {
      if (under !== null) reject(new Error(`the worker of seed ${under.seed} ended with ${code ?? 'a signal'}`))
    })
  })
}

/** Resolves when all seeds have been run. */
export async function runSeeds(run: SeedRun): Promise<void> {
  const workers = Array.from({ length: run.workers ?? Math.min(2, availableParallelism()) }, startWorker)
  try {
    await Promise.all(workers.map((worker) => serve(worker, run)))
  } finally {
    for (const worker of workers) if (worker.connected) worker.disconnect()
  }
}
