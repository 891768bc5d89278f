import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleTransactionRecord } from '#lib/server/gateway/testing/sample-record.ts'
import { FLAVOURS } from '#lib/server/store/testing/test-databases.ts'
import { useStores } from '#lib/server/store/testing/use-stores.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

const record = (user_ref_id: string, type: string, transaction_uuid: string, amount: string) =>
  sampleTransactionRecord({
    ...{ user_ref_id, type, transaction_uuid, amount: decimal(amount), status: 'TXN_PROVIDER_SUCCEEDED' },
    to_address: 'TElsewhere',
    inserted_at: '2026-01-01T00:00:00Z',
  })

const LISTS: Readonly<Record<string, readonly ReturnType<typeof record>[]>> = {
  paid: [record('paid', 'Payout', 'p1', '80'), record('paid', 'Deposit', 'd1', '100')],
  even: [record('even', 'Deposit', 'd2', '5')],
}

/**
 * A gateway with these lists; the list of `broken` lacks a record that it counts.
 * @param beforeAnswer called before it answers
 */
const gateway = (beforeAnswer: () => Promise<unknown>): Server =>
  createServer((request, response) => {
    let body = ''
    const answer = async (): Promise<void> => {
      await beforeAnswer()
      const { user_reference_id: user } = JSON.parse(body) as { user_reference_id: string }
      const edges = (LISTS[user] ?? []).map((node) => ({
        cursor: node.transaction_uuid,
        inserted_at: node.inserted_at,
        node,
      }))
      const page_info = { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false }
      const total_count = edges.length + (user === 'broken' ? 1 : 0)
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ edges, page_info, total_count }))
    }
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => void answer())
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  let server: Server
  let meanwhile: () => Promise<unknown>
  beforeEach(async () => {
    meanwhile = () => Promise.resolve()
    server = gateway(() => meanwhile())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  const run = (
    options: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_ENV: 'production',
        DATABASE_URL: stores.url,
        GATEWAY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        GATEWAY_API_KEY: 'the-api-key-of-the-shop',
        GATEWAY_PRIVATE_KEY: privateKey,
        GATEWAY_PUBLIC_KEY: publicKey,
        SESSION_SECRET: 's'.repeat(32),
        MERCHANT_API_KEY: 'm'.repeat(32),
        EMBED_ORIGINS: 'https://shop.example',
        ONRAMP_ORIGINS: 'https:',
        PUBLIC_URL: 'http://localhost:9',
        RECONCILE_CALLS_PER_S: '50',
        ...more,
      } as const
      const program = fileURLToPath(new URL('check-gateway.ts', import.meta.url))
      const child = execFile(
        process.execPath,
        ['--conditions=react-server', program, ...options],
        { env },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
      )
    })

  const start = async (...users: readonly string[]): Promise<void> => {
    await stores.one.reconciliation.keepLedgerStart(0)
    for (const user of users) await stores.one.users.ensure(user, 1)
  }

  test('it prints each difference with its transactions, and stores it', async () => {
    await start('paid', 'even')
    expect(await run()).toEqual({
      code: 1,
      out: [
        'paid: USDT (Ethereum, c): gateway 20, ledger 100, difference -80',
        '  payout p1: gateway -80, ledger 0',
        'paid: payout p1 of 80 USDT has no owner',
        '2 users: 1 with differences, 0 with a list that could not be read.',
        '',
      ].join('\n'),
      err: '',
    })
    const [line, ...others] = await stores.one.quarantine.list({
      ...{ reason: 'totals_differ', settled: false, after: 0, limit: 9 },
    })
    expect([line?.user_reference_id, line?.transaction_uuid, others]).toEqual(['paid', 'paid c', []])
    expect((await run(['--user', 'even'])).out).toBe(
      '1 users: 0 with differences, 0 with a list that could not be read.\n',
    )
    expect((await run(['--user', 'even'])).code).toBe(0)
  })

  test('what it books is delivered by the instances that deliver, whatever its own settings say', async () => {
    await start('even')
    await stores.one.leases.showDelivery('i', 60_000)
    expect((await run()).code).toBe(0)
    await stores.one.events.number()
    expect((await stores.one.deliveries.counts()).pending).toBe(1)
  })

  test('without the setting of the instances nothing is read or booked', async () => {
    await start('even')
    await stores.one.reconciliation.keepBooks('merchant', 'i')
    expect(await run()).toEqual({
      code: 2,
      out: '',
      err: "Nothing was changed: MERCHANT_AUTHORIZE_URL is not set here, but with the instances of this database the merchant keeps the ledger. Run it with the cashier's environment.\n",
    })
    expect(await stores.one.transactions.byUuids(['d2'])).toEqual([])
  })

  test('it books nothing after others have changed who keeps the ledger, since both would book the same', async () => {
    await start('even')
    await stores.one.reconciliation.keepBooks('embedded', 'i')
    meanwhile = () => stores.one.reconciliation.keepBooks('merchant', 'i')
    const { code, err } = await run()
    expect(await stores.one.transactions.byUuids(['d2'])).toEqual([])
    expect([code, err]).toEqual([1, expect.stringContaining('have changed who keeps the ledger')])
  })

  test('a list that is not complete, or not there, is exit code 2', async () => {
    await start('even', 'broken')
    const broken = await run()
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining('broken: the list is not complete')])
    const away = await run(['--user', 'even'], { GATEWAY_BASE_URL: 'http://127.0.0.1:9' })
    expect([away.code, away.err]).toEqual([2, expect.stringContaining('even: the list could not be read')])
  })

  test('where the merchant keeps the books it looks for open payouts only', async () => {
    await start('paid', 'even')
    const merchant = {
      MERCHANT_AUTHORIZE_URL: 'https://shop.example/authorize',
      MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('s'.repeat(32)).toString('base64')}`,
    }
    const found = await run([], merchant)
    expect(found.out).toContain('The merchant keeps the books')
    expect(found.out).toContain('paid: payout p1 of 80 USDT has no owner')
    expect([found.code, (await run(['--user', 'even'], merchant)).code]).toEqual([1, 0])
  })

  test('a user who is not known here agrees with nothing', async () => {
    await start('even')
    expect(await run(['--user', 'evne'])).toEqual({ code: 2, out: '', err: 'There is no user evne here.\n' })
  })

  test('it refuses what it cannot use', async () => {
    expect((await run()).err).toContain('start the cashier first')
    const unknown = await run(['--all'])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('npm run check:gateway')])
    const fault = await run([], { GATEWAY_API_KEY: '' })
    expect([fault.code, fault.err]).toEqual([2, expect.stringContaining('GATEWAY_API_KEY')])
  })
})
