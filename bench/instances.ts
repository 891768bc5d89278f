/**
 * Several instances on one PostgreSQL: webhooks (one at a time for each instance, and 32 waiting at each), page calls,
 * and how late the feed and the streams are. It measures the database as it is, and with 2 ms more in each flush
 * (`commit_delay`). The peer writes the rows of a webhook without anything else (`bare-writer.ts`); the peer of a page
 * call is an instance without rate limits. Each instance gets webhooks of its own users.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { MERCHANT_REFERENCE, rsaKeyPair } from '../e2e/fixtures/keys.ts'
import { startCashier, type EnvVariables, type Program } from '../e2e/fixtures/processes.ts'
import { startStack, type Stack } from '../e2e/fixtures/stack.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { launchSession } from '../e2e/system/page.ts'
import { freePort } from '../scripts/free-port.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { measureDelays } from './instances-delay.ts'
import { load, loadPorts, type LoadCall } from './load.ts'
import type { Row } from './table.ts'
import { untilReconciled } from './until-reconciled.ts'
import { writtenRows } from './written-rows.ts'

const INSTANCES = [1, 2, 4] as const
const MOST = 4
const USERS = 400
/** Users with a page; below the limit of launches from one address. */
const VISITS = 50
const BARE_MS = 1500

/** For each instance: requests, how many wait for an answer at a time, and the connections of the peer. */
const ONE = { name: 'one at a time', webhooks: 200, calls: 150, atATime: 1, writers: 1 } as const
const MANY = { name: '32 waiting', webhooks: 800, calls: 500, atATime: 32, writers: 16 } as const
const WARM_UP = 400

const FLUSHES = {
  'as it is': {},
  '+2 ms': { commit_delay: '2000', commit_siblings: '0' },
} as const

const runNode = promisify(execFile)

interface Bench {
  readonly stack: Stack
  readonly client: pg.Client
  readonly databaseUrl: string
  readonly privateKey: string
  /** The rows of a webhook, for the peer. */
  readonly rowsFile: string
  /** The headers of a launched session, and its id. */
  readonly visits: readonly { readonly headers: Readonly<Record<string, string>>; readonly id: string }[]
}

const userOf = (index: number): string => `bench-${index % USERS}`

const webhook = (privateKey: string, user: string, uuid: string = randomUUID()): LoadCall => {
  const body = depositEvent({ uuid, user, amount: '12.5', status: 'succeeded' })
  return { method: 'POST', path: '/api/webhooks/gateway', headers: { ...webhookHeaders(privateKey, body) }, body }
}

/** The share of all processors that was busy meanwhile, in percent. */
async function busyDuring<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly busy: number }> {
  const read = () => {
    const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({ used: user + nice + sys + irq, idle }))
    return { used: times.reduce((sum, one) => sum + one.used, 0), idle: times.reduce((sum, one) => sum + one.idle, 0) }
  }
  const before = read()
  const result = await work()
  const after = read()
  const used = after.used - before.used
  return { result, busy: (used * 100) / (used + after.idle - before.idle) }
}

/** Loads all instances at once. */
const loadAll = (
  urls: readonly string[],
  callsOf: (instance: number) => readonly LoadCall[],
  { count, atATime }: { readonly count: number; readonly atATime: number },
) => {
  const ports = urls.map((url, instance) => ({ port: new URL(url).port, calls: callsOf(instance) }))
  return loadPorts(ports, count, atATime)
}

const sendWebhooks = ({ privateKey }: Bench, urls: readonly string[], count: number, atATime: number) => {
  const of = (instance: number): LoadCall[] =>
    Array.from({ length: count }, (_item, at) => webhook(privateKey, userOf(at * MOST + instance)))
  const calls = urls.map((_url, instance) => of(instance))
  return busyDuring(() => loadAll(urls, (instance) => calls[instance] ?? [], { count, atATime }))
}

const sendPageCalls = ({ visits }: Bench, urls: readonly string[], count: number, atATime: number) => {
  const calls = visits.map(({ headers }): LoadCall => ({ method: 'GET', path: '/api/cashier/balances', headers }))
  return loadAll(urls, () => calls, { count, atATime })
}

async function bareWrites({ databaseUrl, rowsFile }: Bench, writers: number): Promise<number> {
  const program = join(import.meta.dirname, 'bare-writer.ts')
  const { stdout } = await runNode(process.execPath, [program, databaseUrl, String(writers), String(BARE_MS), rowsFile])
  return Number(stdout)
}

const another = async (env: EnvVariables, more: EnvVariables = {}): Promise<Program> =>
  startCashier({ ...env, ...more, PORT: String(await freePort()) })

/** The median of a page call without limits. */
async function unlimited(bench: Bench): Promise<number> {
  const program = await another(bench.stack.cashier.env, { RATE_LIMIT: 'off' })
  try {
    await sendPageCalls(bench, [program.url], MANY.calls, MANY.atATime)
    return (await sendPageCalls(bench, [program.url], ONE.calls, ONE.atATime)).p50
  } finally {
    await program.process.stop()
  }
}

/** Sends one webhook while nothing else happens, and takes its rows as the model of the peer. */
async function findRows(bench: Bench, url: string): Promise<void> {
  const { client, privateKey, rowsFile } = bench
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  const [user, uuid] = ['bench-model', randomUUID()]
  await load(new URL(url), [webhook(privateKey, user, uuid)], 1, 1)
  await sleep(500)
  const written = await writtenRows(client, { xid: rows[0]?.xid ?? '', user, uuid })
  if (written.length < 5) throw new Error(`a webhook wrote only ${written.length} rows`)
  writeFileSync(rowsFile, JSON.stringify(written))
}

async function measureWith(bench: Bench, urls: readonly string[], flush: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  const where = `${urls.length} ${urls.length === 1 ? 'instance' : 'instances'}, ${flush}`
  for (const { name, webhooks, calls, atATime, writers } of [ONE, MANY]) {
    const { result, busy } = await sendWebhooks(bench, urls, webhooks, atATime)
    const bare = await busyDuring(() => bareWrites(bench, writers * urls.length))
    const page = await sendPageCalls(bench, urls, calls, atATime)
    rows.push(
      { what: `webhooks a second, ${name}, ${where}`, ours: result.perSecond, peer: bare.result },
      { what: `percent of the processors meanwhile`, ours: busy, peer: bare.busy },
      { what: `page calls a second, ${name}, ${where}`, ours: page.perSecond, peer: null },
    )
  }
  const { stack, client, visits, privateKey } = bench
  const streams = visits.map(({ headers, id }): LoadCall => {
    return { method: 'GET', path: `/api/cashier/events?session=${id}`, headers }
  })
  const perInstance = ONE.webhooks
  const calls = urls.map((_url, instance) =>
    Array.from({ length: perInstance }, (_item, at) => webhook(privateKey, userOf((at * MOST + instance) % VISITS))),
  )
  const { feed, stream } = await measureDelays({ client, api: stack.cashier.api, urls, streams }, () =>
    loadAll(urls, (instance) => calls[instance] ?? [], { count: perInstance, atATime: 1 }),
  )
  rows.push(
    { what: `ms from commit to feed, p50, ${where}`, ours: feed.p50, peer: null },
    { what: `ms from commit to feed, p99, ${where}`, ours: feed.p99, peer: null },
    { what: `ms from commit to stream, p50, ${where}`, ours: stream.p50, peer: null },
    { what: `ms from commit to stream, p99, ${where}`, ours: stream.p99, peer: null },
  )
  return rows
}

/** How many times as much the last number of instances does as the first. */
const growth = (rows: readonly Row[], name: string, flush: string): Row => {
  const of = (count: string): Row | undefined =>
    rows.find(({ what }) => what === `webhooks a second, ${name}, ${count}, ${flush}`)
  const [first, last] = [of('1 instance'), of(`${MOST} instances`)]
  const times = (a: number | null = null, b: number | null = null): number => (a ?? NaN) / (b ?? NaN)
  return {
    what: `times as many with ${MOST}, ${name}, ${flush}`,
    ours: times(last?.ours, first?.ours),
    peer: times(last?.peer, first?.peer),
  }
}

async function prepare(stack: Stack, url: string): Promise<Bench['visits']> {
  const { api } = stack.cashier
  await api.createSession({ user_reference_id: 'bench-model' })
  const visits: Bench['visits'][number][] = []
  for (let index = 0; index < USERS; index += 1) {
    const session = await api.createSession({ user_reference_id: userOf(index) })
    if (index >= VISITS) continue
    const cookie = await launchSession(url, session)
    visits.push({ id: session.session_id, headers: { cookie, 'x-cashier-session': session.session_id } })
  }
  await untilReconciled(url)
  return visits
}

async function measure(flush: keyof typeof FLUSHES): Promise<readonly Row[]> {
  const { privateKey, publicKey } = rsaKeyPair()
  const postgres = await startPostgres({ fsync: true, settings: { track_commit_timestamp: 'on', ...FLUSHES[flush] } })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const stack = await startStack({
    direct: true,
    cashier: {
      DATABASE_URL: postgres.url,
      GATEWAY_PUBLIC_KEY: publicKey,
      GATEWAY_MERCHANT_REFERENCE: MERCHANT_REFERENCE,
      RECONCILE_CALLS_PER_S: '1000',
      LOG_LEVEL: 'warn',
    },
  })
  const running: Program[] = []
  try {
    const { url } = stack.cashier
    const urls = [url]
    const visits = await prepare(stack, url)
    const rowsFile = join(stack.folder, 'rows.json')
    const bench: Bench = { stack, client, databaseUrl: postgres.url, privateKey, rowsFile, visits }
    await findRows(bench, url)
    const without = await unlimited(bench)
    await sendPageCalls(bench, urls, MANY.calls, MANY.atATime)
    const { p50 } = await sendPageCalls(bench, urls, ONE.calls, ONE.atATime)
    const rows: Row[] = [{ what: `ms, page call, p50, beside no limits, ${flush}`, ours: p50, peer: without }]
    for (const count of INSTANCES) {
      while (urls.length < count) {
        const program = await another(stack.cashier.env)
        running.push(program)
        urls.push(program.url)
      }
      await sendWebhooks(bench, urls, WARM_UP, MANY.atATime)
      rows.push(...(await measureWith(bench, urls, flush)))
    }
    return [...rows, ...[ONE, MANY].map(({ name }) => growth(rows, name, flush))]
  } finally {
    await Promise.all(running.map((program) => program.process.stop()))
    await stack.stop()
    await client.end()
    await postgres.stop()
  }
}

export async function instances(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const flush of ['as it is', '+2 ms'] as const) rows.push(...(await measure(flush)))
  return rows
}
