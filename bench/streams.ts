/**
 * The cost of thousands of streams, each of another user: opening them in a burst, writing webhooks to them, and keeping
 * them idle. The peer is plain `node:http` (`raw-streams.ts`) with the same streams and the same signed webhooks.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MERCHANT_REFERENCE, rsaKeyPair } from '../e2e/fixtures/keys.ts'
import { startStack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { launchSession } from '../e2e/system/page.ts'
import { startSupervised } from '../scripts/supervised-process.ts'
import { load, type LoadCall } from './load.ts'
import type { Row } from './table.ts'
import { untilReconciled } from './until-reconciled.ts'

const STREAMS = 8000
const EVENTS = 10_000
const IDLE_S = 30
const AT_A_TIME = 32

interface Usage {
  readonly seconds: number
  readonly bytes: number
}

interface Server {
  readonly port: string
  readonly usage: () => Promise<Usage>
  /** The request of each stream. */
  readonly streams: readonly LoadCall[]
}

interface Measured {
  readonly openS: number
  readonly eventsCpuS: number
  readonly idlePercent: number
  readonly kilobytes: number
  readonly megabytes: number
}

const userOf = (index: number): string => `bench-${index % STREAMS}`

function webhooksOf(privateKey: string): readonly LoadCall[] {
  return Array.from({ length: EVENTS }, (_item, index) => {
    const body = depositEvent({ uuid: randomUUID(), user: userOf(index), amount: '12.5', status: 'succeeded' })
    const headers = { ...webhookHeaders(privateKey, body) }
    return { method: 'POST', path: '/api/webhooks/gateway', headers, body }
  })
}

async function measure(
  { port, usage, streams }: Server,
  events: readonly LoadCall[],
  folder: string,
): Promise<Measured> {
  const file = join(folder, 'streams.json')
  writeFileSync(file, JSON.stringify(streams))
  const before = await usage()
  const reader = await startSupervised({
    command: process.execPath,
    args: [join(import.meta.dirname, 'stream-load.ts'), port, file],
    env: process.env,
    ready: /^(\{.*\})$/m,
    readyMs: 120_000,
  })
  try {
    const opened = await usage()
    await sleep(5000)
    const idle = await usage()
    await sleep(IDLE_S * 1000)
    const stillIdle = await usage()
    await load(new URL(`http://localhost:${port}`), events, EVENTS, AT_A_TIME)
    await sleep(2000)
    const written = await usage()
    return {
      openS: (JSON.parse(reader.ready[1] ?? '{}') as { seconds: number }).seconds,
      eventsCpuS: written.seconds - stillIdle.seconds,
      idlePercent: ((stillIdle.seconds - idle.seconds) / IDLE_S) * 100,
      kilobytes: (opened.bytes - before.bytes) / STREAMS / 1000,
      megabytes: written.bytes / 1e6,
    }
  } finally {
    await reader.stop()
  }
}

async function usageOf(url: string): Promise<Usage> {
  const text = await (await fetch(`${url}/api/metrics`)).text()
  const number = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return { seconds: number('process_cpu_seconds_total'), bytes: number('process_resident_memory_bytes') }
}

async function ours(publicKey: string, events: readonly LoadCall[], folder: string): Promise<Measured> {
  const stack = await startStack({
    direct: true,
    cashier: { RATE_LIMIT: 'off', GATEWAY_PUBLIC_KEY: publicKey, GATEWAY_MERCHANT_REFERENCE: MERCHANT_REFERENCE },
  })
  try {
    const { api, url } = stack.cashier
    const streamOf = async (user: string): Promise<LoadCall> => {
      const session = await api.createSession({ user_reference_id: user })
      const headers = { cookie: await launchSession(url, session) }
      return { method: 'GET', path: `/api/cashier/events?session=${session.session_id}`, headers }
    }
    const streams: LoadCall[] = []
    while (streams.length < STREAMS) {
      const users = Array.from({ length: AT_A_TIME }, (_item, at) => userOf(streams.length + at))
      streams.push(...(await Promise.all(users.map(streamOf))))
    }
    await untilReconciled(url)
    return await measure({ port: new URL(url).port, usage: () => usageOf(url), streams }, events, folder)
  } finally {
    await stack.stop()
  }
}

async function theirs(publicKey: string, events: readonly LoadCall[], folder: string): Promise<Measured> {
  const peer = await startSupervised({
    command: process.execPath,
    args: [join(import.meta.dirname, 'raw-streams.ts')],
    env: { ...process.env, GATEWAY_PUBLIC_KEY: publicKey },
    ready: /^(\d+)$/m,
  })
  try {
    const port = peer.ready[1] ?? ''
    const usage = async (): Promise<Usage> => (await (await fetch(`http://localhost:${port}/usage`)).json()) as Usage
    const streams = Array.from({ length: STREAMS }, (_item, index): LoadCall => {
      return { method: 'GET', path: `/?user=${userOf(index)}`, headers: {} }
    })
    return await measure({ port, usage, streams }, events, folder)
  } finally {
    await peer.stop()
  }
}

export async function streams(): Promise<readonly Row[]> {
  const { privateKey, publicKey } = rsaKeyPair()
  const folder = mkdtempSync(join(tmpdir(), 'cashier-bench-'))
  try {
    const events = webhooksOf(privateKey)
    const [us, them] = [await ours(publicKey, events, folder), await theirs(publicKey, events, folder)]
    const row = (what: string, of: keyof Measured): Row => ({ what, ours: us[of], peer: them[of] })
    return [
      row(`s to open ${STREAMS} streams`, 'openS'),
      row(`s of CPU, ${EVENTS} webhooks to them`, 'eventsCpuS'),
      row('percent of CPU while nothing happens', 'idlePercent'),
      row('kilobytes an open stream', 'kilobytes'),
      row('megabytes of the process then', 'megabytes'),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
