/** Files of any length: who gets them, and what happens when either end goes away. */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { sampleTransactionRecord } from '../gateway/testing/sample-record.ts'
import { problem, setUpApi } from './testing/api-harness.ts'
import { asMerchant, newVisitor } from './testing/visitor.ts'

const api = setUpApi()
const HISTORY = '/api/cashier/history.csv'
const STATEMENT = '/api/merchant/statement.csv'

const node = (more: Partial<TransactionNode> = {}): TransactionNode => ({
  ...sampleTransactionRecord({ transaction_uuid: 't1' }),
  currency: { ...sampleTransactionRecord().currency },
  cashier_status: 'succeeded',
  ...more,
})

async function* steps<T>(...all: readonly T[]): AsyncIterable<T> {
  yield* all
  await Promise.resolve()
}

test('the history is a file in the language of the page, else of the session', async () => {
  api.useCases.historyFile.mockImplementation(() => Promise.resolve(steps([node()], [node({ from_address: '=1+1' })])))
  const response = await api.visitor.call(`${HISTORY}?time_range=today&transaction_types=Deposit&locale=de-AT`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(api.useCases.historyFile.mock.lastCall?.[1]).toEqual({ time_range: 'today', transaction_types: ['Deposit'] })
  const bytes = Buffer.from(await response.arrayBuffer()).toString()
  expect(bytes.startsWith('\ufeff"Erstellt"')).toBe(true)
  const lines = bytes.trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('"Einzahlung","Gutgeschrieben","1","USDT","Ethereum"')
  expect(lines[2]).toContain('"\'=1+1"')
  const spanish = await newVisitor(api.server, { locale: 'es' })
  expect(await (await spanish.call(HISTORY)).text()).toContain('"Depósito"')
})

test('the history is for the page of its session alone; a wrong filter is named', async () => {
  expect(await problem(await api.visitor.call(HISTORY, { headers: { cookie: '' } }))).toMatchObject({ status: 401 })
  const foreign = await api.visitor.call(HISTORY, { headers: { origin: 'https://evil.example' } })
  expect(await problem(foreign)).toMatchObject({ code: 'forbidden_origin' })
  const wrong = await problem(await api.visitor.call(`${HISTORY}?time_range=ever`))
  expect(wrong).toMatchObject({ status: 422, errors: { time_range: [expect.stringContaining('today')] } })
  expect(api.useCases.historyFile).not.toHaveBeenCalled()
})

test('a statement is for the merchant alone; a wrong parameter is named', async () => {
  api.useCases.statement.mockImplementation(() => Promise.resolve(steps('"line"\r\n')))
  const answer = await asMerchant(api.server, `${STATEMENT}?from=2026-01-01&to=2026-02-01T00:00:00Z&user_reference_id=`)
  expect(await answer.text()).toBe('"line"\r\n')
  expect(api.useCases.statement).toHaveBeenLastCalledWith({
    from: Date.UTC(2026, 0, 1),
    to: Date.UTC(2026, 1, 1),
    user_reference_id: null,
  })
  expect((await fetch(api.server.url + STATEMENT)).status).toBe(401)
  for (const [query, errors] of [
    ['from=yesterday', { from: [expect.stringContaining('2026-11-21T12:00:00Z')] }],
    ['to=2026-13-01', { to: [expect.stringContaining('2026-11-21')] }],
    ['to=2026-02-30', { to: [expect.stringContaining('2026-11-21')] }],
    ['from=2026-02-01&to=2026-01-01', { to: ['must be later than from'] }],
    ['user_reference_id=a%20b', { user_reference_id: [expect.any(String)] }],
    ['till=2026-01-01', { till: ['is not a parameter of this call; known: from, to, user_reference_id'] }],
  ] as const)
    expect(await problem(await asMerchant(api.server, `${STATEMENT}?${query}`))).toMatchObject({ status: 422, errors })
})

test('an error before the file begins is a problem; one within it breaks the transfer', async () => {
  api.useCases.statement.mockRejectedValueOnce(new Error('the disk is gone'))
  expect(await problem(await asMerchant(api.server, STATEMENT))).toMatchObject({ status: 500 })
  async function* broken(hasBegun: Promise<unknown>): AsyncIterable<string> {
    yield '"line"\r\n'
    await hasBegun
    throw new Error('the disk is gone')
  }
  for (const encoding of ['identity', 'gzip']) {
    const begun = Promise.withResolvers<null>()
    api.useCases.statement.mockResolvedValueOnce(broken(begun.promise))
    const response = await asMerchant(api.server, STATEMENT, { headers: { 'accept-encoding': encoding } })
    expect(response.status).toBe(200)
    begun.resolve(null)
    await expect(response.text()).rejects.toThrow()
  }
  expect(api.server.lines.filter((line) => line.includes('the disk is gone'))).toHaveLength(3)
})

test('a file is compressed for who takes that', async () => {
  api.useCases.statement.mockImplementation(() => Promise.resolve(steps('"line"\r\n'.repeat(1000))))
  for (const encoding of ['gzip', 'identity']) {
    const response = await asMerchant(api.server, STATEMENT, { headers: { 'accept-encoding': encoding } })
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null)
    expect(response.headers.get('vary')).toContain('accept-encoding')
    expect((await response.text()).length).toBe(8000)
  }
})

test('a client that has gone before the first line ends the reading too', async () => {
  const answered = Promise.withResolvers<AsyncIterable<readonly TransactionNode[]>>()
  let hasEnded = false
  async function* rows(): AsyncIterable<readonly TransactionNode[]> {
    try {
      for (;;) {
        yield [node()]
        await sleep(0)
      }
    } finally {
      hasEnded = true
    }
  }
  api.useCases.historyFile.mockReturnValueOnce(answered.promise)
  const gone = new AbortController()
  const call = api.visitor.call(HISTORY, { signal: gone.signal })
  await vi.waitFor(() => expect(api.useCases.historyFile).toHaveBeenCalled())
  gone.abort()
  await expect(call).rejects.toThrow()
  // The server learns of it a moment later.
  await sleep(200)
  answered.resolve(rows())
  await vi.waitFor(() => expect(hasEnded).toBe(true), 5000)
})

test('a client that reads nothing is not read for, and one that goes away ends the reading', async () => {
  let pieces = 0
  let hasEnded = false
  async function* endless(): AsyncIterable<string> {
    try {
      for (;;) {
        pieces += 1
        yield 'x'.repeat(64 * 1024)
        await sleep(0)
      }
    } finally {
      hasEnded = true
    }
  }
  api.useCases.statement.mockResolvedValueOnce(endless())
  const authorization = `Bearer ${api.server.config.merchantApiKeys[0]}`
  const request = get(`${api.server.url}${STATEMENT}`, { headers: { authorization } }, (response) => response.pause())
  request.on('error', () => undefined)
  await vi.waitFor(async () => {
    const before = pieces
    await sleep(300)
    expect(pieces).toBe(before)
    expect(pieces).toBeGreaterThan(0)
  }, 10_000)
  // What the socket's buffers hold.
  expect(pieces).toBeLessThan(400)
  expect(hasEnded).toBe(false)
  request.destroy()
  await vi.waitFor(() => expect(hasEnded).toBe(true), 5000)
})
