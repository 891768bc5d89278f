/** Clients of three instances: webhooks, withdrawals, page calls and streams, at a steady pace whatever is answered. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createEventReader, type ReadEvent } from '#lib/server/stream/testing/event-reader.ts'
import type { SandboxControl } from '../fixtures/sandbox-control.ts'
import { DEPOSIT_CURRENCY, depositEvent } from '../system/deposit-event.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import type { PageClient } from '../system/page.ts'
import type { Outcome } from './availability.ts'
import type { GatewayDeposit, SentWebhook, AskedWithdrawal, Stream, ToldEvent } from './oracle.ts'

export interface LoadOptions {
  readonly urls: readonly string[]
  readonly gatewayKey: string
  /** The id of the currency of all amounts. */
  readonly currency: string
  readonly control: SandboxControl
  /** A page for each user who withdraws. */
  readonly payers: ReadonlyMap<string, PageClient>
  /** A page for each user who is told deposits that the test signs; none leaves them out. */
  readonly told: ReadonlyMap<string, PageClient>
}

export interface ClientLoad {
  readonly outcomes: readonly Outcome[]
  /** When each user's stream told something. */
  readonly heard: ReadonlyMap<string, readonly number[]>
  readonly webhooks: readonly SentWebhook[]
  readonly deposits: readonly GatewayDeposit[]
  readonly withdrawals: readonly AskedWithdrawal[]
  streams(): readonly Stream[]
  /** Sends again, with their keys, the withdrawals that were answered 201 since this time. */
  sendAgain(since: number): Promise<void>
  /** Begins nothing more; resolves when each request has its final answer. */
  stop(): Promise<void>
  /** Ends the streams. */
  close(): void
}

/** Milliseconds between two requests of a kind to one instance. */
const PACE_MS = { webhook: 300, withdrawal: 900, page: 600 } as const
const DEPOSIT_PACE_MS = 1000
const AGAIN_MS = 1500
const MOST_UNDER_WAY = 40
const ANSWER_MS = 20_000
const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const FUNDS = '1000000'
const WEBHOOK_AMOUNT = '0.5'
const DEPOSIT_AMOUNT = '2.25'

interface Withdrawal extends AskedWithdrawal {
  readonly ids: string[]
  refused: boolean
  answeredAt: number
  readonly page: PageClient
}

const streamed = z.object({
  transaction_uuid: z.string().nullable(),
  withdrawal_id: z.string().optional(),
  status: z.string(),
})

const history = z.object({
  edges: z.array(
    z.object({ node: z.object({ transaction_uuid: z.string().nullish(), withdrawal_id: z.string().nullish() }) }),
  ),
})

function readStreamEvent({ id, type, data }: ReadEvent): ToldEvent {
  if (type !== 'transaction') return { id, type, about: null, withdrawalId: null, status: null }
  const { transaction_uuid, withdrawal_id, status } = streamed.parse(JSON.parse(data))
  return { id, type, about: transaction_uuid ?? withdrawal_id ?? null, withdrawalId: withdrawal_id ?? null, status }
}

/** A refusal by which the client knows that nothing was recorded; after any other answer it asks again. */
const isFinalRefusal = (status: number, code: string): boolean =>
  status >= 400 && status < 500 && (status !== 409 || code === 'insufficient_balance')

export function startLoad(options: LoadOptions): ClientLoad {
  const { urls, gatewayKey, control, currency } = options
  const outcomes: Outcome[] = []
  const [webhooks, deposits, withdrawals]: [SentWebhook[], GatewayDeposit[], Withdrawal[]] = [[], [], []]
  const underWay = new Set<Promise<unknown>>()
  let stopping = false

  const urlAt = (at: number): string => urls[at % urls.length] ?? ''
  const follow = (work: Promise<unknown>): void => {
    const followed = work.finally(() => underWay.delete(followed))
    underWay.add(followed)
  }
  /** Records how the request was answered; null when it was not. */
  const timed = async <T extends { readonly status: number }>(
    lane: string,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> => {
    const startedAt = Date.now()
    const answer = await ask(AbortSignal.timeout(ANSWER_MS)).catch(() => null)
    outcomes.push({ lane, startedAt, endedAt: Date.now(), ok: answer !== null && answer.status < 400 })
    return answer
  }
  const ask = async (url: string, init: RequestInit): Promise<{ status: number; body: string }> => {
    const response = await fetch(url, init)
    return { status: response.status, body: await response.text() }
  }

  const sendWebhook = async (user: string, at: number): Promise<void> => {
    const uuid = randomUUID()
    webhooks.push({ uuid, user, amount: WEBHOOK_AMOUNT })
    const event = depositEvent({ uuid, user, amount: WEBHOOK_AMOUNT, status: 'succeeded' })
    const body = event.replace(DEPOSIT_CURRENCY, currency)
    for (let tries = 0; ; tries += 1) {
      const headers = { 'content-type': 'application/json', ...webhookHeaders(gatewayKey, body) }
      const url = `${urlAt(at + tries)}/api/webhooks/gateway`
      const send = (signal: AbortSignal) => ask(url, { method: 'POST', headers, body, signal })
      const answer = tries === 0 ? await timed(`webhook ${at}`, send) : await send(timeout()).catch(() => null)
      if (answer?.status === 200) return
      await sleep(AGAIN_MS)
    }
  }

  const orderOf = ({ amount, key, page }: Withdrawal, url: string, signal: AbortSignal) =>
    ask(`${url}/api/cashier/withdrawals`, {
      method: 'POST',
      headers: { ...page.headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ currency_id: currency, amount, wallet_address: WALLET }),
      signal,
    })
  /** Asks with the same key until the answer is final. */
  const withdraw = async (one: Withdrawal, at: number, lane?: string): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      const send = (signal: AbortSignal) => orderOf(one, urlAt(at + tries), signal)
      const answer =
        tries === 0 && lane !== undefined ? await timed(lane, send) : await send(timeout()).catch(() => null)
      if (answer !== null) {
        const { id, code } = z
          .object({ id: z.string().optional(), code: z.string().optional() })
          .parse(JSON.parse(answer.body))
        if (answer.status === 201 && id !== undefined) {
          one.ids.push(id)
          one.answeredAt = Date.now()
          return
        }
        if (isFinalRefusal(answer.status, code ?? '')) {
          one.refused = true
          return
        }
      }
      await sleep(AGAIN_MS)
    }
  }
  const newWithdrawal = (user: string, page: PageClient): Withdrawal => {
    const amount = `1.${20_001 + withdrawals.length}`
    const one = { key: randomUUID(), user, amount, ids: [], refused: false, answeredAt: 0, page }
    withdrawals.push(one)
    return one
  }

  const deposit = async (user: string, amount: string): Promise<void> => {
    const { transaction } = z.object({ transaction: z.object({ transaction_uuid: z.string() }) }).parse(
      await control.call('POST', '/deposits', {
        user_reference: user,
        currency_id: currency,
        amount,
        confirm: true,
      }),
    )
    deposits.push({ uuid: transaction.transaction_uuid, user, amount })
  }

  /** Begins work at a steady pace, unless too much is under way. */
  const every = async (ms: number, begin: (turn: number) => Promise<unknown>): Promise<void> => {
    const mine = new Set<Promise<unknown>>()
    for (let turn = 0; !stopping; turn += 1) {
      if (mine.size < MOST_UNDER_WAY) {
        const work = begin(turn).finally(() => mine.delete(work))
        mine.add(work)
        follow(work)
      }
      await sleep(ms)
    }
  }

  const heard = new Map<
    string,
    { readonly events: ReadEvent[]; readonly times: number[]; readonly shown: Set<string> }
  >()
  /** What a page does after a reset, until it is answered. The gateway would list what these webhooks tell of. */
  const readAfresh = async (user: string, page: PageClient, at: number, shown: Set<string>): Promise<void> => {
    for (let tries = 0; !ends.signal.aborted; tries += 1) {
      const listed = webhooks.filter((one) => one.user === user)
      const url = `${urlAt(at + tries)}/api/cashier/transactions?first=100`
      const answer = await ask(url, { headers: page.headers, signal: timeout() }).catch(() => null)
      if (answer?.status === 200) {
        const { edges } = history.parse(JSON.parse(answer.body))
        for (const { uuid } of listed) shown.add(uuid)
        for (const { node } of edges)
          for (const about of [node.transaction_uuid, node.withdrawal_id]) if (about != null) shown.add(about)
        return
      }
      await sleep(AGAIN_MS)
    }
  }
  const ends = new AbortController()
  const listen = async (user: string, page: PageClient, first: number): Promise<void> => {
    const events: ReadEvent[] = []
    const times: number[] = []
    const shown = new Set<string>()
    heard.set(user, { events, times, shown })
    for (let at = first; !ends.signal.aborted; at += 1) {
      // An event that was cut off is forgotten and comes again.
      const reader = createEventReader(events.at(-1)?.id ?? '0')
      try {
        const response = await fetch(`${urlAt(at)}/api/cashier/events?session=${page.session.session_id}`, {
          headers: { ...page.headers, 'last-event-id': reader.lastEventId },
          signal: ends.signal,
        })
        for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const before = reader.events.length
          if (response.status === 200) reader.push(text)
          const added = reader.events.slice(before)
          events.push(...added)
          if (added.length > 0) times.push(Date.now())
          if (added.some(({ type }) => type === 'reset')) follow(readAfresh(user, page, at, shown))
        }
      } catch {
        // It reconnects.
      }
      await sleep(500)
    }
  }

  const payers = [...options.payers]
  const told = [...options.told]
  const all = [...payers, ...told]
  for (const [at, [user, page]] of all.entries()) void listen(user, page, at)
  for (const [user] of payers) follow(deposit(user, FUNDS))
  const of = <T>(list: readonly T[], turn: number): T => {
    const one = list[turn % list.length]
    if (one === undefined) throw new RangeError('nobody')
    return one
  }
  const loops: Promise<void>[] = []
  for (const at of urls.keys()) {
    if (told.length > 0) loops.push(every(PACE_MS.webhook, (turn) => sendWebhook(of(told, turn)[0], at)))
    loops.push(
      every(PACE_MS.withdrawal, (turn) => {
        const [user, page] = of(payers, turn)
        return withdraw(newWithdrawal(user, page), at, `withdrawal ${at}`)
      }),
      every(PACE_MS.page, (turn) => {
        const [, page] = of(all, turn)
        const path = turn % 2 === 0 ? '/balances' : '/transactions'
        return timed(`page call ${at}`, (signal) =>
          ask(`${urlAt(at)}/api/cashier${path}`, { headers: page.headers, signal }),
        )
      }),
    )
  }
  loops.push(every(DEPOSIT_PACE_MS, (turn) => deposit(of(payers, turn)[0], DEPOSIT_AMOUNT)))

  return {
    outcomes,
    get heard() {
      return new Map([...heard].map(([user, { times }]) => [user, times]))
    },
    webhooks,
    deposits,
    withdrawals,
    streams: () =>
      [...heard].map(([user, { events, shown }]) => ({
        user,
        events: events.map(readStreamEvent),
        shown: [...shown],
      })),
    async sendAgain(since) {
      await Promise.all(withdrawals.filter(({ answeredAt }) => answeredAt >= since).map((one, at) => withdraw(one, at)))
    },
    async stop() {
      stopping = true
      await Promise.all(loops)
      while (underWay.size > 0) await Promise.all(underWay)
    },
    close() {
      ends.abort()
    },
  }
}

const timeout = (): AbortSignal => AbortSignal.timeout(ANSWER_MS)
