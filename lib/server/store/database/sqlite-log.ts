/**
 * SQLite's write-ahead log, flushed and written back while the process answers others. SQLite itself would do both on
 * the thread that commits (docs/decisions/0002-sqlite-and-postgresql-through-kysely.md).
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** The log could not be flushed: nobody knows which of the last commits are on the disk. */
export class FlushFailedError extends Error {
  override readonly name = 'FlushFailedError'

  constructor(path: string, cause: unknown) {
    super(`cannot flush ${path} to the disk`, { cause })
  }
}

export interface SqliteLog {
  /** Resolves when all commits so far are on the disk; else never: see `onFailure`. */
  flush(): Promise<void>
  /** Counts the changed rows of a commit. Once they are many, the log is written back. */
  committed(rows: number): void
  close(): Promise<void>
}

export interface SqliteLogOptions {
  /** Called in place of an end of `flush`: no caller may go on as if it knew what was committed. */
  readonly onFailure?: (error: FlushFailedError) => void
  /** So many changed rows have about 5,000 pages: the connection itself, which writes 10,000 back, finds little left. */
  readonly everyRows?: number
}

/** Ends the process. Its next start reads what the disk has; no answer has promised more. */
const endProcess = (error: FlushFailedError): void => {
  queueMicrotask(() => {
    throw error
  })
}

/** @param file the database's file. It has a log while a connection is open that has written. */
export function createSqliteLog(
  file: string,
  { onFailure = endProcess, everyRows = 8000 }: SqliteLogOptions = {},
): SqliteLog {
  const path = `${file}-wal`
  let opened: number | null = null
  let thread: Worker | null = null
  /** Without the thread the connection writes everything back. */
  let threadEnded = false
  let changed = 0

  const startThread = (): Worker => {
    const started = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: file })
    started.on('error', () => {
      threadEnded = true
    })
    started.unref()
    return started
  }

  return {
    flush: () =>
      new Promise((resolve) => {
        const failed = (cause: unknown): void => onFailure(new FlushFailedError(path, cause))
        try {
          opened ??= openSync(path, 'r+')
          fdatasync(opened, (error) => {
            if (error === null) resolve()
            else failed(error)
          })
        } catch (error) {
          failed(error)
        }
      }),

    committed(rows) {
      changed += rows
      if (changed < everyRows || threadEnded) return
      changed = 0
      thread ??= startThread()
      thread.postMessage(null)
    },

    async close() {
      threadEnded = true
      await thread?.terminate()
      if (opened !== null) closeSync(opened)
      opened = null
    },
  }
}
