import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  readonly perSecond: number
  /** The median in milliseconds. */
  readonly p50: number
  /** The 99th percentile in milliseconds. */
  readonly p99: number
}

export interface LoadCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
}

/** A request as the server receives it. */
export function requestBytes({ method, path, headers, body = '' }: LoadCall, port: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const entity = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${entity}${lines.join('')}\r\n${body}`)
}

const run = promisify(execFile)

/** What one port gets. */
export interface PortCalls {
  readonly port: string
  readonly calls: readonly LoadCall[]
}

/**
 * Sends each port `count` requests over `atATime` kept-alive connections, all ports at the same time, from one separate
 * process (`http-load.ts`). It sends the calls of a port in turn, and starts again with the first after the last.
 * @throws when a response is not 200
 */
export async function loadPorts(ports: readonly PortCalls[], count: number, atATime: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-load-'))
  try {
    const file = join(folder, 'calls.json')
    writeFileSync(file, JSON.stringify(ports))
    const script = join(import.meta.dirname, 'http-load.ts')
    const { stdout } = await run(process.execPath, [script, String(atATime), String(count), file])
    return JSON.parse(stdout) as Load
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const load = (base: URL, calls: readonly LoadCall[], count: number, atATime: number): Promise<Load> =>
  loadPorts([{ port: base.port, calls }], count, atATime)
