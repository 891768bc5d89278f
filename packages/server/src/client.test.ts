import { expect, test } from 'vitest'
import { createCashier, type Cashier } from './client.ts'
import { CashierError } from './problem.ts'

interface Asked {
  readonly method: string
  readonly url: URL
  readonly body: unknown
  readonly headers: Headers
}

/** A cashier that gives these answers in turn and then repeats the last. An Error is a failed connection. */
function cashierThatAnswers(...answers: readonly (Response | Error)[]): { cashier: Cashier; asked: Asked[] } {
  const asked: Asked[] = []
  const fetch = ((url: string, init: RequestInit) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    asked.push({ method: init.method ?? '', url: new URL(url), body, headers: new Headers(init.headers) })
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer!.clone())
  }) as typeof globalThis.fetch
  return { cashier: createCashier({ url: 'https://cashier.test', apiKey: 'key', fetch, retries: 2 }), asked }
}

const problem = (status: number, code: string, more: object = {}): Response =>
  Response.json({ code, detail: 'Why.', request_id: 'r-1', ...more }, { status })
const busy = (): Response => new Response('', { status: 503, headers: { 'retry-after': '0' } })
const adjustment = { currency_id: 'c', amount: '-5', reference: 'r' }

test('a call has the key, the path with its names encoded, and the body', async () => {
  const { cashier, asked } = cashierThatAnswers(Response.json({ available: '1' }, { status: 201 }))
  await cashier.adjust('a/b', adjustment)
  expect(asked[0]).toMatchObject({ method: 'POST', body: adjustment })
  expect(asked[0]?.url.href).toBe('https://cashier.test/api/merchant/users/a%2Fb/adjustments')
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer key')
})

test('a query has the given fields, and a list becomes several fields', async () => {
  const { cashier, asked } = cashierThatAnswers(Response.json({}))
  await cashier.transactions({ first: 5, after: undefined, transaction_types: ['Deposit', 'Payout'] })
  expect(asked[0]?.url.search).toBe('?first=5&transaction_types=Deposit&transaction_types=Payout')
})

test('a repeatable call is repeated after a failed connection and while the cashier is away', async () => {
  const { cashier, asked } = cashierThatAnswers(new TypeError('cut'), busy(), Response.json({ balances: [] }))
  expect(await cashier.balances('u')).toEqual([])
  expect(asked).toHaveLength(3)
})

test('a statement is a stream, which may take longer than a call', async () => {
  const slow = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      controller.enqueue(new TextEncoder().encode('"line"'))
      controller.close()
    },
  })
  const asked: string[] = []
  const fetch = ((url: string, { signal }: RequestInit) => {
    asked.push(new URL(url).search)
    signal?.addEventListener('abort', () => void slow.cancel())
    return Promise.resolve(new Response(slow))
  }) as typeof globalThis.fetch
  const cashier = createCashier({ url: 'https://cashier.test', apiKey: 'key', fetch, timeoutMs: 10 })
  expect(await new Response(await cashier.statement({ from: '2026-01-01' })).text()).toBe('"line"')
  expect(asked).toEqual(['?from=2026-01-01'])
})

test('it gives up after the last attempt', async () => {
  const { cashier, asked } = cashierThatAnswers(busy())
  await expect(cashier.adjust('u', adjustment)).rejects.toMatchObject({ status: 503, code: 'unreadable' })
  expect(asked).toHaveLength(3)
})

test('a decision is never repeated', async () => {
  const { cashier, asked } = cashierThatAnswers(new TypeError('cut'))
  await expect(cashier.decide('w', { decision: 'approve' })).rejects.toThrow('cut')
  await expect(cashier.resolve('w', { outcome: 'not_sent' })).rejects.toThrow('cut')
  const acknowledged = { acknowledged: true, note: 'Paid by hand.' } as const
  await expect(cashier.setPayoutOwner('p/1', acknowledged)).rejects.toThrow('cut')
  expect(asked).toHaveLength(3)
  expect(asked[2]).toMatchObject({ method: 'POST', body: acknowledged })
  expect(asked[2]?.url.pathname).toBe('/api/merchant/payouts/p%2F1/owner')
})

test('payouts are listed by owner', async () => {
  const { cashier, asked } = cashierThatAnswers(Response.json({ payouts: [], next_cursor: '1-' }))
  expect(await cashier.payouts({ owner: 'none', limit: 5 })).toEqual({ payouts: [], next_cursor: '1-' })
  expect(asked[0]?.url.href).toBe('https://cashier.test/api/merchant/payouts?owner=none&limit=5')
})

test('a refusal has its code, its fields and the request id, and is not repeated', async () => {
  const { cashier, asked } = cashierThatAnswers(
    problem(422, 'invalid_request', { errors: { amount: ['must be text'] } }),
  )
  const error = await cashier.adjust('u', adjustment).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CashierError)
  expect(error).toMatchObject({
    status: 422,
    code: 'invalid_request',
    errors: { amount: ['must be text'] },
    requestId: 'r-1',
  })
  expect(asked).toHaveLength(1)
})

test('an ended session has no body', async () => {
  const { cashier } = cashierThatAnswers(new Response(null, { status: 204 }))
  await expect(cashier.endSession('s')).resolves.toBeUndefined()
})

const event = (cursor: string) => ({ cursor, type: 'transaction.updated', created_at: '', data: {} })
const page = (...cursors: string[]) => Response.json({ events: cursors.map(event), next_cursor: cursors.at(-1) ?? 'x' })

/** Follows the feed until this many events were handled. */
async function follow(cashier: Cashier, count: number, start: string | null, onCursorLost?: () => void) {
  const [seen, saved]: [string[], string[]] = [[], []]
  const cursor = { load: () => start, save: (one: string) => saved.push(one) }
  for await (const { cursor: at } of cashier.follow({ cursor, pollMs: 1, ...(onCursorLost && { onCursorLost }) })) {
    seen.push(at)
    if (seen.length === count) break
  }
  return { seen, saved }
}

test('the feed begins without a cursor, continues after the last handled event, and waits at the end', async () => {
  const { cashier, asked } = cashierThatAnswers(page('a-1', 'a-2'), page(), page('a-3'), page())
  expect(await follow(cashier, 3, null)).toEqual({ seen: ['a-1', 'a-2', 'a-3'], saved: ['a-1', 'a-2'] })
  expect(asked.map(({ url }) => url.searchParams.get('after'))).toEqual([null, 'a-2', 'a-2'])
})

test('a lost cursor is an error, or the feed starts again if a handler is given', async () => {
  const lost = () => cashierThatAnswers(problem(410, 'cursor_lost'), page('b-1'))
  await expect(follow(lost().cashier, 1, 'a-9')).rejects.toMatchObject({ code: 'cursor_lost' })
  let told = 0
  const { cashier, asked } = lost()
  const restart = (): void => {
    told += 1
  }
  expect((await follow(cashier, 1, 'a-9', restart)).seen).toEqual(['b-1'])
  expect([told, asked.map(({ url }) => url.searchParams.get('after'))]).toEqual([1, ['a-9', null]])
})

test('a signal ends the loop, even while it waits', async () => {
  const { cashier } = cashierThatAnswers(page())
  const abort = new AbortController()
  const iterator = cashier.follow({
    cursor: { load: () => null, save: () => undefined },
    signal: abort.signal,
    pollMs: 60_000,
  })
  const next = iterator.next()
  setTimeout(() => abort.abort(new Error('stopped')), 10)
  await expect(next).rejects.toThrow('stopped')
})
