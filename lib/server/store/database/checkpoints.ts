import { Worker } from 'node:worker_threads'

/**
 * A webhook changes nine rows and six pages: about 16 MB of the log. Commits wait for the disk while more is written back:
 * with 80 MB the slowest of a hundred webhooks took half as long again.
 */
const ROWS_BETWEEN = 6000

/**
 * Pages of the log after which a commit writes them back itself. The log begins again at its start only after all of it
 * was written back, which under load only a commit can reach, for other commits go on beside the thread.
 */
export const PAGES_AT_MOST = 50_000

export interface Checkpoints {
  /** Counts the rows that a commit has changed. */
  changed(rows: number): void
  stop(): Promise<void>
}

/** The thread's program, by its source: it uses nothing from outside. */
function writeBack(): void {
  const { parentPort, ...threads } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const db = new DatabaseSync(threads.workerData as string)
  parentPort?.on('message', (wanted: 'checkpoint' | 'stop') => {
    if (wanted === 'stop') {
      db.close()
      parentPort.close()
      return
    }
    // Passive: no commit waits for it.
    db.exec('pragma wal_checkpoint(passive)')
    parentPort.postMessage('done')
  })
}

/**
 * Writes the log of a SQLite database back into its file, in a thread that starts at the first need. Otherwise a commit in
 * a few hundred does that in the event loop, for tens of milliseconds. If the thread fails, commits do it.
 */
export function createCheckpoints(path: string): Checkpoints {
  let rows = 0
  let isBusy = false
  let thread: Worker | null = null

  const start = (): Worker => {
    const started = new Worker(`(${writeBack.toString()})()`, {
      eval: true,
      workerData: path,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
    })
    started.unref()
    // The thread has ended and counts as busy from here on: commits write the log back.
    started.on('error', () => undefined)
    started.on('message', () => {
      isBusy = false
      askIfDue()
    })
    return started
  }

  const askIfDue = (): void => {
    if (isBusy || rows < ROWS_BETWEEN) return
    rows = 0
    isBusy = true
    try {
      thread ??= start()
      thread.postMessage('checkpoint')
    } catch {
      // The process may start no further thread. It stays busy, and the commit that has been made must not fail.
    }
  }

  return {
    changed(count) {
      rows += count
      askIfDue()
    },
    async stop() {
      if (thread === null || thread.threadId === -1) return
      isBusy = true
      const stopping = thread
      stopping.ref()
      await new Promise((resolve) => {
        stopping.once('exit', resolve)
        stopping.postMessage('stop')
      })
    },
  }
}
