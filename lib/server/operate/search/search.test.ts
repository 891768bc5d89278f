import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import {
  sampleFact,
  sampleOnramp,
  sampleQuarantined,
  sampleSession,
  sampleWithdrawal,
} from '../../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../../store/testing/seed.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { createSearch } from './search.ts'

const DEPOSIT = '0198c1a2-1111-7000-8000-000000000001'
const PAYOUT = '0198c1a2-2222-7000-8000-000000000002'
const WITHDRAWAL = '7f000000-3333-4000-8000-000000000003'
const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01'

const nameEvents = () => Promise.resolve((number: number) => `cursor-${number}`)

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, deliver: true, clock: () => 5000 })
  const find = async (q: string) => {
    const { groups, go } = await createSearch({ store: stores.one, nameEvents })({ q })
    const hits = groups.flatMap(({ hits: some }) => some.map(({ kind, id, by, exact }) => [kind, id, by, exact]))
    return { hits, go, groups }
  }

  const fill = async () => {
    const { one } = stores
    await one.sessions.addSession(sampleSession({ id: 'session-1', user_reference_id: 'player-1' }), {
      hash: 'h',
      expires_ms: 9,
    })
    const fact = { user_reference_id: 'player-1', status: 'succeeded', network: 'Ethereum' } as const
    await applyOneFact(one, sampleFact({ ...fact, transaction_uuid: DEPOSIT, tx_hash: HASH, amount: decimal('2') }))
    await seed(one, {
      withdrawals: [
        sampleWithdrawal({
          id: WITHDRAWAL,
          user_reference_id: 'player-1',
          wallet_address: ADDRESS,
          status: 'succeeded',
          transaction_uuid: PAYOUT,
          funds: 'paid',
        }),
      ],
    })
    await applyOneFact(
      one,
      sampleFact({ ...fact, kind: 'payout', transaction_uuid: PAYOUT, to_address: ADDRESS, amount: decimal('1.50') }),
    )
    await one.addresses.saveFirst([
      {
        user_reference_id: 'player-1',
        currency_id: 'c1',
        address: 'TDepositTo',
        currency: 'USDT',
        network: 'Tron',
        created_ms: 1,
      },
    ])
  }

  test('nothing is found, and said so', async () => {
    expect(await find('nobody-and-nothing')).toEqual({ hits: [], go: null, groups: [] })
  })

  test('the id of one thing leads to its page; a beginning lists what begins with it', async () => {
    await fill()
    expect(await find(DEPOSIT)).toMatchObject({
      hits: [['transaction', DEPOSIT, 'id', true]],
      go: `/transactions/${DEPOSIT}`,
      groups: [{ hits: [{ status: 'succeeded', amount: '2', currency_code: 'USDT', user_reference_id: 'player-1' }] }],
    })
    expect(await find(WITHDRAWAL.toUpperCase())).toMatchObject({ go: `/withdrawals/${WITHDRAWAL}` })
    expect(await find('player-1')).toMatchObject({ hits: [['user', 'player-1', 'id', true]], go: '/users/player-1' })
    expect(await find('session-1')).toMatchObject({ go: '/users/player-1' })
    const { hits, go } = await find('0198c1a2')
    expect(hits.map(([kind, id]) => [kind, id])).toEqual(
      expect.arrayContaining([
        ['transaction', DEPOSIT],
        ['transaction', PAYOUT],
        ['withdrawal', WITHDRAWAL],
      ]),
    )
    expect([hits.some(([, , , exact]) => exact), go]).toEqual([false, null])
  })

  test('the transaction of a payout also tells of its withdrawal, so its page is shown', async () => {
    await fill()
    const { hits, go } = await find(PAYOUT)
    expect(hits.map(([kind]) => kind)).toEqual(['transaction', 'withdrawal', 'payout'])
    expect(go).toBe(`/transactions/${PAYOUT}`)
  })

  test('hashes with and without 0x in any case, addresses in any case', async () => {
    await fill()
    for (const text of [HASH, HASH.slice(2), HASH.toUpperCase(), HASH.slice(0, 20)])
      expect((await find(text)).hits).toMatchObject([['transaction', DEPOSIT, 'hash', text.length > 20]])
    expect((await find(ADDRESS.toLowerCase())).hits.map(([kind]) => kind)).toEqual(['withdrawal', 'payout'])
    expect(await find('TDepositTo')).toMatchObject({ hits: [['address', 'TDepositTo', 'address', true]] })
  })

  test('purchases by our id, by their key, and by a reference that is not ours', async () => {
    const { one } = stores
    await one.users.ensure('player-1', 1)
    await one.onramps.insert(
      sampleOnramp({ id: 'on-ramp-1', user_reference_id: 'player-1', correlation_key: 'corr-key-1' }),
    )
    for (const text of ['on-ramp-1', 'corr-key-1', 'corr-key'])
      expect((await find(text)).hits).toMatchObject([['purchase', 'on-ramp-1', 'reference', text !== 'corr-key']])
    expect((await find('on-ramp-1')).go).toBe('/users/player-1')
  })

  test('a request leads to what it has made', async () => {
    await fill()
    const { requestEffects } = stores.one
    const of = { request_id: 'request-0001', user_reference_id: 'player-1', created_ms: 5 }
    await requestEffects.note({ ...of, kind: 'withdrawal', name: WITHDRAWAL })
    expect(await find('request-0001')).toMatchObject({
      hits: [['withdrawal', WITHDRAWAL, 'request', true]],
      go: `/withdrawals/${WITHDRAWAL}`,
    })
    await requestEffects.note({ ...of, request_id: 'request-0002', kind: 'session', name: 'session-1' })
    await requestEffects.note({ ...of, request_id: 'request-0003', kind: 'adjustment', name: 'order-7' })
    expect((await find('request-0002')).hits).toMatchObject([['session', 'session-1', 'request', true]])
    expect((await find('request-0003')).hits).toMatchObject([['adjustment', 'order-7', 'request', true]])
  })

  test('numbers of the quarantine and of the feed, and lines about a transaction', async () => {
    const { one } = stores
    await fill()
    await seed(one, { quarantine: [sampleQuarantined({ transaction_uuid: 'unknown-uuid' })] })
    await one.events.number()
    const [id = 0] = await one.search.quarantineAbout('unknown-uuid', 1)
    expect((await find('unknown-uuid')).hits).toMatchObject([['quarantine', String(id), 'transaction', true]])
    const { hits } = await find('1')
    expect(hits).toContainEqual(['delivery', 'cursor-1', 'number', true])
    expect((await find(String(id))).hits).toContainEqual(['quarantine', String(id), 'number', true])
    const attempt = { cursor: 1, attempt: 1, began_ms: 1, ended_ms: 2, outcome: '500', signature: 's', body: '{}' }
    await one.deliveryAttempts.recordTest({ ...attempt, webhook_id: 'evt_abcdefgh' })
    expect(await find('evt_abcdefgh')).toMatchObject({
      hits: [['delivery', 'cursor-1', 'number', true]],
      go: '/deliveries/cursor-1',
    })
  })

  test('a group ends after ten, and says that there are more', async () => {
    const { one } = stores
    for (let at = 10; at < 25; at += 1) await one.users.ensure(`player-${at}`, at)
    const { groups } = await find('player')
    expect(groups).toMatchObject([{ kind: 'user', more: true }])
    expect(groups[0]?.hits.length).toBe(10)
  })
})
