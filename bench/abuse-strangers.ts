/**
 * Strangers run in separate processes: several processes may open more connections than one, and the strangers' work
 * must not delay the measuring process. `bench/abuse.ts` forks this process and sends the tasks in the first message.
 * To each later message the process answers with its counts so far. It ends when the channel closes.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { timed, type Visit } from './abuse-honest.ts'

/** Process priority of a flood. It is low because real strangers would use other machines. */
const NICE = 10

/** A task that `bench/abuse-tasks.ts` made. */
export type Task =
  | {
      readonly kind: 'sockets'
      readonly count: number
      /** Bytes sent at once. */
      readonly head: string
      /** Bytes sent every second. */
      readonly drip: string | null
      /** The address from which the connections come. */
      readonly from: string
    }
  | { readonly kind: 'streams'; readonly visits: readonly Visit[]; readonly each: number }
  | { readonly kind: 'flood'; readonly atATime: number; readonly call: FloodCall }

export interface FloodCall {
  /** `{id}` is replaced by a new UUID in each request, also in the fields below. */
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Progress {
  /** The most connections that were open at once. */
  readonly open: number
  /** Number of answered requests. */
  readonly answered: number
}

export interface Orders {
  /** The cashier's port. */
  readonly url: string
  readonly task: Task
}

const ID = /\{id\}/g
const AGAIN_MS = 5000
const BATCH = 25
const BATCH_MS = 10

/** Opens one connection again each time it is closed. */
function keepOpen(url: URL, open: Set<Socket>, { head, drip, from }: Extract<Task, { kind: 'sockets' }>): void {
  const socket = connect({ port: Number(url.port), host: '127.0.0.1', localAddress: from }, () => {
    open.add(socket)
    socket.write(head)
  })
  const dripping = drip === null ? undefined : setInterval(() => socket.write(drip), 1000)
  socket.on('error', () => undefined).on('data', () => undefined)
  socket.once('close', () => {
    clearInterval(dripping)
    open.delete(socket)
    setTimeout(() => keepOpen(url, open, { kind: 'sockets', count: 1, head, drip, from }), AGAIN_MS)
  })
}

function openStreams(url: URL, open: Set<Socket>, { visits, each }: Extract<Task, { kind: 'streams' }>): void {
  for (const { path, cookie } of visits)
    for (let at = 0; at < each; at += 1) {
      const socket = connect({ port: Number(url.port), host: '127.0.0.1' }, () => open.add(socket))
      socket.on('error', () => undefined).pause()
      socket.once('close', () => open.delete(socket))
      const session = path.split('/')[2] ?? ''
      socket.write(
        `GET /api/cashier/events?session=${session} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\n\r\n`,
      )
    }
}

async function flood(url: URL, call: FloodCall, answered: () => void): Promise<never> {
  const headers = Object.entries(call.headers ?? {})
  for (;;) {
    const fresh = (text: string): string => text.replace(ID, () => randomUUID())
    const { status } = await timed(url.origin + fresh(call.path), {
      ...(call.method !== undefined && { method: call.method }),
      ...(call.body !== undefined && { body: fresh(call.body) }),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, fresh(value)])),
    })
    if (status !== 0) answered()
  }
}

/** Opens the connections in batches, because the kernel queues only a limited number of new connections. */
async function openAll(url: URL, open: Set<Socket>, task: Extract<Task, { kind: 'sockets' }>): Promise<void> {
  for (let at = 0; at < task.count; at += 1) {
    if (at % BATCH === 0) await sleep(BATCH_MS)
    keepOpen(url, open, task)
  }
}

function start({ url: address, task }: Orders): void {
  if (task.kind === 'flood') setPriority(NICE)
  const url = new URL(address)
  const open = new Set<Socket>()
  let answered = 0
  let most = 0
  setInterval(() => (most = Math.max(most, open.size)), 100)
  if (task.kind === 'sockets') void openAll(url, open, task)
  if (task.kind === 'streams') openStreams(url, open, task)
  if (task.kind === 'flood')
    for (let at = 0; at < task.atATime; at += 1) void flood(url, task.call, () => (answered += 1))
  process.on('message', () => process.send?.({ open: most, answered } satisfies Progress))
}

if (process.send !== undefined) {
  process.once('message', (orders: Orders) => start(orders))
  process.once('disconnect', () => process.exit(0))
}
