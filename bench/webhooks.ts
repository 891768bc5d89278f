/**
 * Signed deposit webhooks of many users over 32 and 128 kept-alive connections. Each is on disk before its answer. The
 * peers verify each webhook: a Fastify server commits three rows to SQLite for each (`fastify-webhooks.ts`), a bare
 * server one row, in groups (`group-webhooks.ts`), and another the cashier's own rows (`rows-webhooks.ts`).
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { MERCHANT_REFERENCE, rsaKeyPair } from '../e2e/fixtures/keys.ts'
import { startStack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { startSupervised } from '../scripts/supervised-process.ts'
import { inRounds, ROUNDS } from './rounds.ts'
import type { Row } from './table.ts'

const COUNT = 8000
const WARM_UP = 8000
const USERS = 500
/** The memory must not grow until then. */
const LAST = 72_000
const CONNECTIONS = [32, 128] as const

type Post = readonly [headers: Readonly<Record<string, string>>, body: string]

interface Measured {
  readonly perSecond: number
  readonly p99: number
  /** Milliseconds of processor time per event. */
  readonly cpuMs: number
}

const runNode = promisify(execFile)
const userOf = (index: number): string => `bench-${index % USERS}`

const posts = (privateKey: string, count: number): readonly Post[] =>
  Array.from({ length: count }, (_item, index) => {
    const body = depositEvent({ uuid: randomUUID(), user: userOf(index), amount: '12.5', status: 'succeeded' })
    return [webhookHeaders(privateKey, body), body]
  })

async function send(port: string, connections: number, batch: readonly Post[], folder: string) {
  const file = join(folder, 'posts.json')
  writeFileSync(file, JSON.stringify(batch))
  const generator = join(import.meta.dirname, 'webhook-load.ts')
  const { stdout } = await runNode(process.execPath, [generator, port, String(connections), file])
  return JSON.parse(stdout) as Pick<Measured, 'perSecond' | 'p99'>
}

interface Server {
  readonly port: string
  readonly cpuSeconds: () => Promise<number>
  /** Resident memory of the process. */
  readonly memoryBytes: () => Promise<number>
}

type PeerName = 'fastify' | 'group' | 'rows'

interface Peer extends Server {
  readonly name: PeerName
  readonly stop: () => Promise<unknown>
}

async function measure(
  { port, cpuSeconds }: Pick<Server, 'port' | 'cpuSeconds'>,
  connections: number,
  batch: readonly Post[],
  folder: string,
): Promise<Measured> {
  const before = await cpuSeconds()
  const measured = await send(port, connections, batch, folder)
  return { ...measured, cpuMs: ((await cpuSeconds()) - before) * (1000 / batch.length) }
}

/** All servers get the same events at each number of connections, in turn. */
async function compare(
  ours: Server,
  peers: readonly Peer[],
  privateKey: string,
  folder: string,
): Promise<readonly Row[]> {
  const warmUp = posts(privateKey, WARM_UP)
  for (const { port } of [ours, ...peers]) await send(port, 32, warmUp, folder)
  const rows: Row[] = []
  const servers = new Map<PeerName | 'cashier', Server>([
    ['cashier', ours],
    ...peers.map((peer) => [peer.name, peer] as const),
  ])
  for (const connections of CONNECTIONS) {
    const batches = Array.from({ length: ROUNDS }, () => posts(privateKey, COUNT / ROUNDS))
    const of = await inRounds(servers, (server, round) => measure(server, connections, batches[round] ?? [], folder))
    for (const { name } of peers) {
      const row = (what: string, figure: (one: Measured) => number): Row => ({
        what: `${what}, ${connections} connections (${name})`,
        ours: of('cashier', figure),
        peer: of(name, figure),
      })
      rows.push(
        row('webhooks a second', ({ perSecond }) => perSecond),
        row('p99 in ms', ({ p99 }) => p99),
        row('ms of CPU', ({ cpuMs }) => cpuMs),
      )
    }
  }
  let sent = WARM_UP + COUNT * CONNECTIONS.length
  const simple = peers.filter(({ name }) => name !== 'rows')
  const noteMemory = async (): Promise<void> => {
    const us = await ours.memoryBytes()
    for (const peer of simple)
      rows.push({
        what: `MB of the process after ${sent} webhooks (${peer.name})`,
        ours: us / 1e6,
        peer: (await peer.memoryBytes()) / 1e6,
      })
  }
  await noteMemory()
  for (; sent < LAST; sent += COUNT) {
    const batch = posts(privateKey, COUNT)
    for (const { port } of [ours, ...simple]) await send(port, CONNECTIONS[0], batch, folder)
  }
  await noteMemory()
  return rows
}

/** Uses a new connection, because the server may have closed a kept one. */
const textOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })

const figure = async (url: string, pattern: RegExp): Promise<number> => Number(pattern.exec(await textOf(url))?.[1])

/** The cashier reads a new user's list once. That must end before the measurement starts. */
async function untilReconciled(url: string): Promise<void> {
  const waiting = async (): Promise<number> =>
    [...(await textOf(`${url}/api/metrics`)).matchAll(/^cashier_reconciliation_waiting\{[^}]*\} (\d+)/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    )
  while ((await waiting()) > 0) await sleep(500)
  await sleep(1000)
}

async function startPeer(name: PeerName, args: readonly string[], publicKey: string): Promise<Peer> {
  const server = await startSupervised({
    command: process.execPath,
    args: [join(import.meta.dirname, `${name}-webhooks.ts`), ...args],
    env: { ...process.env, GATEWAY_PUBLIC_KEY: publicKey },
    ready: /^(\d+)$/m,
  })
  const port = server.ready[1] ?? ''
  const usage = `http://localhost:${port}/usage`
  return {
    name,
    port,
    cpuSeconds: () => figure(usage, /"seconds":([\d.]+)/),
    memoryBytes: () => figure(usage, /"bytes":(\d+)/),
    stop: () => server.stop(),
  }
}

export async function webhooks(): Promise<readonly Row[]> {
  const { privateKey, publicKey } = rsaKeyPair()
  const folder = mkdtempSync(join(tmpdir(), 'cashier-bench-'))
  const stack = await startStack({
    direct: true,
    cashier: { GATEWAY_PUBLIC_KEY: publicKey, GATEWAY_MERCHANT_REFERENCE: MERCHANT_REFERENCE },
  })
  const peers: Peer[] = []
  try {
    const { api, url } = stack.cashier
    for (let index = 0; index < USERS; index += 1) await api.createSession({ user_reference_id: userOf(index) })
    await untilReconciled(url)
    const ours = {
      port: new URL(url).port,
      cpuSeconds: () => figure(`${url}/api/metrics`, /^process_cpu_seconds_total (\S+)/m),
      memoryBytes: () => figure(`${url}/api/metrics`, /^process_resident_memory_bytes (\S+)/m),
    }
    await send(ours.port, 1, posts(privateKey, 1), folder)
    for (const name of ['fastify', 'group'] as const) peers.push(await startPeer(name, [folder], publicKey))
    peers.push(await startPeer('rows', [folder, join(stack.folder, 'cashier.db')], publicKey))
    return await compare(ours, peers, privateKey, folder)
  } finally {
    for (const peer of peers) await peer.stop()
    await stack.stop()
    rmSync(folder, { recursive: true })
  }
}
