/**
 * Calls of the cashier page over kept-alive connections. The peer of each call is the same question, sent directly to
 * the sandbox gateway and signed before the measurement starts. `bare-calls.ts` shows what the machine allows.
 */
import { createSign, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack, type Stack } from '../e2e/fixtures/stack.ts'
import { launchSession } from '../e2e/system/page.ts'
import { startSupervised } from '../scripts/supervised-process.ts'
import { load, type LoadCall } from './load.ts'
import { inRounds, ROUNDS } from './rounds.ts'
import type { Row } from './table.ts'
import { untilReconciled } from './until-reconciled.ts'

const COUNT = 6000
const WARM_UP = 1500
const AT_A_TIME = 32
/** One user per connection: two simultaneous calls for one list would share the gateway's answer. */
const USERS = 32
const HISTORY = 20

type Visit = Readonly<Record<string, string>>

interface GatewayCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string
}

interface Compared {
  readonly name: string
  /** One call for each user, repeated in turn; or one for each request. */
  readonly ours: readonly LoadCall[]
  readonly theirs: readonly GatewayCall[]
  /** The same for `bare-calls.ts`, if the call asks the gateway. */
  readonly bare?: readonly LoadCall[]
  readonly count: number
}

/** Seconds of processor time that the cashier has used, from its metrics. */
async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/api/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

/** The same of `bare-calls.ts`. */
async function bareSeconds(url: URL): Promise<number> {
  const usage = (await (await fetch(new URL('/usage', url))).json()) as { readonly seconds: number }
  return usage.seconds
}

/** A signed gateway call. */
function signed({ method, path, body }: GatewayCall, env: Stack['cashier']['env']): LoadCall {
  const nonce = randomUUID()
  const signature = createSign('RSA-SHA256')
    .update(`${method}${path}${nonce}${body.replaceAll(/\s/g, '')}`)
    .sign(env['GATEWAY_PRIVATE_KEY'] ?? '', 'base64')
  const headers = {
    'x-api-key': env['GATEWAY_API_KEY'] ?? '',
    'x-api-nonce': nonce,
    'x-api-signature': signature,
  }
  return { method, path, headers, ...(body !== '' && { body }) }
}

interface Server {
  readonly url: URL
  readonly calls: readonly LoadCall[]
  /** Seconds of processor time. */
  readonly cpuSeconds: () => Promise<number>
}

/** Calls a second in one round of `count` calls, and the processor time of each in milliseconds. */
async function measure({ url, calls, cpuSeconds }: Server, count: number, round: number) {
  // A call that works only once belongs to one round.
  const own = calls.length >= ROUNDS * count ? calls.slice(round * count, (round + 1) * count) : calls
  const before = await cpuSeconds()
  const { perSecond } = await load(url, own, count, AT_A_TIME)
  return { perSecond, cpuMs: ((await cpuSeconds()) - before) * (1000 / count) }
}

async function compare(
  stack: Stack,
  bareUrl: URL,
  { name, ours, theirs, bare, count }: Compared,
): Promise<readonly Row[]> {
  const { url, env } = stack.cashier
  await untilReconciled(url)
  const signedCalls = Array.from({ length: count + WARM_UP }, (_item, at) =>
    signed(theirs[at % theirs.length] ?? { method: 'GET', path: '', body: '' }, env),
  )
  const servers = new Map<'cashier' | 'peer' | 'bare', Server>([
    ['cashier', { url: new URL(url), calls: ours, cpuSeconds: () => cpuSeconds(url) }],
    // Nobody asks for the sandbox's.
    ['peer', { url: new URL(stack.sandbox.url), calls: signedCalls, cpuSeconds: () => Promise.resolve(0) }],
  ])
  if (bare) servers.set('bare', { url: bareUrl, calls: bare, cpuSeconds: () => bareSeconds(bareUrl) })
  // A call that works only once is not used up: the warm-up has calls of its own.
  for (const { url: to, calls } of servers.values())
    await load(to, calls.length === count + WARM_UP ? calls.slice(count) : calls, WARM_UP, AT_A_TIME)
  const of = await inRounds(servers, (server, round) => measure(server, count / ROUNDS, round))
  const [perSecond, cpuMs] = [of('cashier', (one) => one.perSecond), of('cashier', (one) => one.cpuMs)]
  return [
    { what: `${name} a second`, ours: perSecond, peer: of('peer', (one) => one.perSecond) },
    ...(bare ? [{ what: '  beside the bare server', ours: perSecond, peer: of('bare', (one) => one.perSecond) }] : []),
    { what: `ms of CPU, ${name}`, ours: cpuMs, peer: bare ? of('bare', (one) => one.cpuMs) : null },
  ]
}

async function visit(stack: Stack, user: string): Promise<Visit> {
  const { url, api } = stack.cashier
  const session = await api.createSession({ user_reference_id: user })
  return { cookie: await launchSession(url, session), 'x-cashier-session': session.session_id, origin: url }
}

const addressPath = '/api/cashier/deposit-addresses'
const addressOf = (headers: Visit, currency_id: string): LoadCall => ({
  method: 'POST',
  path: addressPath,
  headers,
  body: JSON.stringify({ currency_id }),
})
const gatewayAddress = (user_reference: string, currency_id: string): GatewayCall => ({
  method: 'POST',
  path: '/v1/user/deposit/address',
  body: JSON.stringify({ currency_id, user_reference }),
})

const bareCall = (what: string, query: Readonly<Record<string, string>>): LoadCall => ({
  method: 'GET',
  path: `/${what}?${new URLSearchParams(query).toString()}`,
  headers: {},
})

async function firstAddresses(stack: Stack, currencies: readonly string[]): Promise<Compared> {
  const count = 2000
  const users = Math.ceil((count + WARM_UP) / currencies.length)
  const visits: Visit[] = []
  for (let index = 0; index < users; index += 1) visits.push(await visit(stack, `first-${index}`))
  const ours = visits.flatMap((headers) => currencies.map((id) => addressOf(headers, id))).slice(0, count + WARM_UP)
  const theirs = currencies.flatMap((id) =>
    Array.from({ length: users }, (_item, index) => gatewayAddress(`directly-${index}`, id)),
  )
  const bare = currencies.flatMap((currency) =>
    Array.from({ length: users }, (_item, index) => bareCall('address', { user: `barely-${index}`, currency })),
  )
  return { name: 'first deposit addresses', ours, theirs, bare: bare.slice(0, count + WARM_UP), count }
}

async function histories(stack: Stack, currencyId: string): Promise<Compared> {
  const ours: LoadCall[] = []
  const theirs: GatewayCall[] = []
  const bare: LoadCall[] = []
  for (let index = 0; index < USERS; index += 1) {
    const user = `history-${index}`
    const headers = await visit(stack, user)
    for (let row = 0; row < HISTORY; row += 1) {
      await stack.sandbox.control.detectDeposit({
        user_reference: user,
        currency_id: currencyId,
        amount: '12.5',
        confirm: true,
      })
    }
    ours.push({ method: 'GET', path: `/api/cashier/transactions?first=${HISTORY}`, headers })
    const body = JSON.stringify({ user_reference_id: user, first: HISTORY })
    theirs.push({ method: 'POST', path: '/v1/user/transactions', body })
    bare.push(bareCall('history', { user }))
  }
  return { name: `histories of ${HISTORY}`, ours, theirs, bare, count: 2000 }
}

export async function calls(): Promise<readonly Row[]> {
  const stack = await startStack({ direct: true, cashier: { RATE_LIMIT: 'off', LOG_LEVEL: 'info' } })
  const folder = mkdtempSync(join(tmpdir(), 'cashier-bench-'))
  const bare = await startSupervised({
    command: process.execPath,
    args: [join(import.meta.dirname, 'bare-calls.ts'), folder],
    env: { ...process.env, ...stack.cashier.env },
    ready: /^(\d+)$/m,
  })
  try {
    const { url } = stack.cashier
    const bareUrl = new URL(`http://localhost:${bare.ready[1] ?? ''}`)
    const visits: Visit[] = []
    for (let index = 0; index < USERS; index += 1) visits.push(await visit(stack, `bench-${index}`))
    const [headers = {}] = visits
    const response = await fetch(`${url}/api/cashier/currencies`, { headers })
    const { currencies } = (await response.json()) as { currencies: readonly { id: string }[] }
    const ids = currencies.map(({ id }) => id)
    const [currencyId = ''] = ids
    const kept = {
      name: 'stored deposit addresses',
      ours: visits.map((one) => addressOf(one, currencyId)),
      theirs: [gatewayAddress('bench-0', currencyId)],
      count: COUNT,
    }
    const list = {
      name: 'currencies',
      ours: visits.map((one): LoadCall => ({ method: 'GET', path: '/api/cashier/currencies', headers: one })),
      theirs: [{ method: 'GET' as const, path: '/v1/merchant/currencies', body: '' }],
      count: COUNT,
    }
    const rows: Row[] = []
    for (const one of [kept, list, await firstAddresses(stack, ids), await histories(stack, currencyId)])
      rows.push(...(await compare(stack, bareUrl, one)))
    return rows
  } finally {
    await bare.stop()
    await stack.stop()
    rmSync(folder, { recursive: true })
  }
}
