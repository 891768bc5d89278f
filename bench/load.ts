import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  readonly perSecond: number
  /** Milliseconds that 99 of 100 stayed below. */
  readonly p99: number
}

export interface LoadCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
}

/** A request as it goes over the wire. */
export function requestBytes({ method, path, headers, body = '' }: LoadCall, port: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const entity = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${entity}${lines.join('')}\r\n${body}`)
}

const run = promisify(execFile)

/**
 * Sends so many calls over kept-alive connections, so many at a time, from a process of its own (`http-load.ts`): `calls`
 * in turn, from the first again after the last.
 * @throws when one of them is not answered 200
 */
export async function load(base: URL, calls: readonly LoadCall[], count: number, atATime: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-load-'))
  try {
    const file = join(folder, 'calls.json')
    writeFileSync(file, JSON.stringify(calls))
    const script = join(import.meta.dirname, 'http-load.ts')
    const { stdout } = await run(process.execPath, [script, base.port, String(atATime), String(count), file])
    return JSON.parse(stdout) as Load
  } finally {
    rmSync(folder, { recursive: true })
  }
}
