import type { Writable } from 'node:stream'
import { once } from 'node:events'
import { CSV_START } from '#lib/contract/csv.ts'
import { NO_STORE, type StreamAnswer } from './answer.ts'

export interface CsvFile {
  readonly name: string
  /** Lines of CSV in pieces of any size; read no faster than the client takes them, and not after it has gone. */
  readonly lines: AsyncIterable<string>
  /** Called with an error of `lines`: the client then gets a broken transfer, never a file that looks whole. */
  readonly onError: (error: unknown) => void
}

/** A CSV file of any length. */
export const csvAnswer = ({ name, lines, onError }: CsvFile): StreamAnswer => ({
  framed: true,
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    // A proxy that stores the answer would go on reading after its client has gone.
    'x-accel-buffering': 'no',
    ...NO_STORE,
  },
  writeTo: (out) => void write(out, lines, onError),
})

async function write(out: Writable, lines: AsyncIterable<string>, onError: (error: unknown) => void): Promise<void> {
  out.on('error', () => undefined)
  const gone = new AbortController()
  out.once('close', () => gone.abort())
  try {
    if (!out.destroyed) out.write(CSV_START)
    for await (const text of lines) {
      if (out.destroyed) return
      if (!out.write(text)) await once(out, 'drain', { signal: gone.signal })
    }
    out.end()
  } catch (error) {
    if (gone.signal.aborted) return
    onError(error)
    out.destroy()
  }
}
