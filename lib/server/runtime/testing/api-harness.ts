/** A server with mocked use cases, and a new visitor for each test. */
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import type { Withdrawal } from '#lib/contract/cashier.ts'
import type { UseCases } from '../compose-use-cases.ts'
import { testConfig } from './config.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export const CURRENCY = '0198c1a2-0000-7000-8000-000000000001'

/** The calls of the page. */
export const CALLS = {
  currencies: ['GET', '/api/cashier/currencies'],
  balances: ['GET', '/api/cashier/balances'],
  expectations: ['GET', '/api/cashier/expectations'],
  transactions: ['GET', '/api/cashier/transactions'],
  withdrawal: ['GET', '/api/cashier/withdrawals/w1'],
  'cancellation of a withdrawal': ['POST', '/api/cashier/withdrawals/w1/cancellation', {}],
  addresses: ['GET', `/api/cashier/addresses?currency_id=${CURRENCY}`],
  'name of an address': ['PUT', '/api/cashier/addresses/a1', { name: 'Savings' }],
  'deposit address': ['POST', '/api/cashier/deposit-addresses', { currency_id: CURRENCY }],
  'withdrawal request': [
    'POST',
    '/api/cashier/withdrawals',
    { currency_id: CURRENCY, amount: '1.5', wallet_address: 'bc1q' },
  ],
  'on-ramp session': [
    'POST',
    '/api/cashier/onramp-sessions',
    { currency_id: CURRENCY, amount: '100', fiat_currency: 'EUR', country: 'DE' },
  ],
} as const satisfies Record<string, readonly [string, string, object?]>
export type CallName = keyof typeof CALLS
export const NAMES = Object.keys(CALLS) as CallName[]
export const CHANGING = NAMES.filter((name) => CALLS[name][0] !== 'GET')

export const withdrawal: Withdrawal = {
  id: 'w1',
  status: 'processing',
  amount: '1.5',
  currency: 'BTC',
  network: 'Bitcoin',
  wallet_address: 'bc1q',
  requires_approval: false,
  transaction_uuid: null,
  failure_reason: null,
  user_message: null,
  review: [],
  wait_until: null,
  awaits_decision: false,
}
const page = {
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 0,
}

const mockedUseCases = () => ({
  listCurrencies: vi.fn<UseCases['listCurrencies']>(),
  listBalances: vi.fn<UseCases['listBalances']>(),
  listExpectations: vi.fn<UseCases['listExpectations']>(),
  tellRates: vi.fn<UseCases['tellRates']>(),
  listTransactions: vi.fn<UseCases['listTransactions']>(),
  getWithdrawal: vi.fn<UseCases['getWithdrawal']>(),
  cancelWithdrawal: vi.fn<UseCases['cancelWithdrawal']>(),
  listAddresses: vi.fn<UseCases['listAddresses']>(),
  nameAddress: vi.fn<UseCases['nameAddress']>(),
  forgetAddress: vi.fn<UseCases['forgetAddress']>(),
  getDepositAddress: vi.fn<UseCases['getDepositAddress']>(),
  requestWithdrawal: vi.fn<UseCases['requestWithdrawal']>(),
  startOnramp: vi.fn<UseCases['startOnramp']>(),
  adjustBalance: vi.fn<UseCases['adjustBalance']>(),
  listEntries: vi.fn<UseCases['listEntries']>(),
  statement: vi.fn<UseCases['statement']>(),
  historyFile: vi.fn<UseCases['historyFile']>(),
  listMerchantEvents: vi.fn<UseCases['listMerchantEvents']>(),
  listWithdrawals: vi.fn<UseCases['listWithdrawals']>(),
  findWithdrawal: vi.fn<UseCases['findWithdrawal']>(),
  resolveWithdrawal: vi.fn<UseCases['resolveWithdrawal']>(),
  listPayouts: vi.fn<UseCases['listPayouts']>(),
  setPayoutOwner: vi.fn<UseCases['setPayoutOwner']>(),
  listQuarantine: vi.fn<UseCases['listQuarantine']>(),
  resolveQuarantine: vi.fn<UseCases['resolveQuarantine']>(),
  decideWithdrawal: vi.fn<UseCases['decideWithdrawal']>(),
  sendTestEvent: vi.fn<UseCases['sendTestEvent']>(),
  redeliver: vi.fn<UseCases['redeliver']>(),
  userBecameKnown: vi.fn<UseCases['userBecameKnown']>(),
})

export interface ApiHarness {
  readonly server: TestServer
  readonly visitor: Visitor
  readonly useCases: ReturnType<typeof mockedUseCases>
  /** Makes the call like the page, with these headers instead of its own; an empty header is left out. */
  make(name: CallName, headers?: Record<string, string>, who?: Visitor): Promise<Response>
  /** True if a use case of the page was called. */
  reached(): boolean
}

/** Starts the server for all tests of a file. Each use case has a plausible default answer that a test may override. */
export function setUpApi(): ApiHarness {
  const useCases = mockedUseCases()
  let server: TestServer | undefined
  let visitor: Visitor | undefined
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the server has not started yet')
    return value
  }
  beforeAll(async () => {
    const config = testConfig({ METRICS_TOKEN: 'metrics-token-0123', TRUST_PROXY: '1' })
    server = await startTestServer({ config, databaseUrl: 'file::memory:', useCases })
  })
  afterAll(() => started(server).stop())
  beforeEach(async () => {
    for (const useCase of Object.values(useCases)) useCase.mockReset()
    useCases.listCurrencies.mockResolvedValue([])
    useCases.listBalances.mockResolvedValue([])
    useCases.listExpectations.mockResolvedValue([])
    useCases.listTransactions.mockResolvedValue(page)
    useCases.getWithdrawal.mockResolvedValue(withdrawal)
    useCases.cancelWithdrawal.mockResolvedValue(withdrawal)
    useCases.listAddresses.mockResolvedValue({ addresses: [], others: [] })
    useCases.nameAddress.mockResolvedValue({ id: 'a1', address: 'a', name: 'Savings', last_sent_at: '' })
    useCases.forgetAddress.mockResolvedValue()
    useCases.getDepositAddress.mockResolvedValue({ address: 'a', currency: 'BTC', network: 'Bitcoin' })
    useCases.requestWithdrawal.mockResolvedValue({ outcome: 'recorded', withdrawal })
    useCases.startOnramp.mockResolvedValue({
      id: 'o1',
      link: 'https://pay.example',
      status: 'created',
      expires_at: null,
    })
    useCases.userBecameKnown.mockResolvedValue()
    visitor = await newVisitor(started(server), { user_reference_id: `player-${crypto.randomUUID()}` })
  })
  return {
    useCases,
    get server() {
      return started(server)
    },
    get visitor() {
      return started(visitor)
    },
    make(name, headers = {}, who = started(visitor)) {
      const [method, path, body] = CALLS[name] as readonly [string, string, object?]
      return who.call(path, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: { ...(name === 'withdrawal request' && { 'idempotency-key': crypto.randomUUID() }), ...headers },
      })
    },
    reached: () =>
      Object.entries(useCases).some(([name, useCase]) => name !== 'userBecameKnown' && useCase.mock.calls.length > 0),
  }
}

/** The body of a problem, after checks of what every problem must have. */
export async function problem(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(body['status']).toBe(response.status)
  expect(body['request_id']).toBe(response.headers.get('x-request-id'))
  for (const field of ['type', 'title', 'detail', 'code']) expect(body[field]).toEqual(expect.any(String))
  return body
}
