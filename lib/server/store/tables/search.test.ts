/** Rows by ids, hashes, addresses, and by the beginnings of ids. */
import { describe, expect, test } from 'vitest'
import {
  sampleFact,
  sampleOnramp,
  sampleQuarantined,
  sampleSession,
  sampleTransaction,
  sampleWithdrawal,
} from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const whole = (text: string) => ({ text, isPrefix: false })
const begins = (text: string) => ({ text, isPrefix: true })
const MOST = 10

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('users by id and by its beginning, whatever characters other ids have', async () => {
    const { users, search } = stores.one
    const ids = ['player-7', 'player-77', 'Player-7', 'player_7', 'player', 'player-8', 'player-7-', 'playerz']
    for (const id of ids) await users.ensure(id, 5)
    const found = async (of: ReturnType<typeof whole>) =>
      (await search.users(of, MOST)).map((row) => row.user_reference_id)
    expect(await found(whole('player-7'))).toEqual(['player-7'])
    expect(await found(begins('player-7'))).toEqual(['player-7', 'player-7-', 'player-77'])
    expect(await found(begins('Player'))).toEqual(['Player-7'])
    expect((await search.users(begins('player'), 2)).length).toBe(2)
  })

  test('names of transactions, payouts, purchases and their keys', async () => {
    const { one } = stores
    await one.users.ensure('u', 1)
    await one.onramps.insert(sampleOnramp({ id: 'on-ramp-1', correlation_key: 'key-of-it' }))
    await applyOneFact(one, sampleFact({ transaction_uuid: 'aaaaaaaa-1' }))
    await applyOneFact(one, sampleFact({ transaction_uuid: 'aaaaaaab-2' }))
    const kinds = async (of: ReturnType<typeof whole>) =>
      (await one.search.names(of, MOST)).map(({ kind, name }) => `${kind} ${name}`)
    expect(await kinds(whole('aaaaaaaa-1'))).toEqual(['deposit aaaaaaaa-1'])
    expect(await kinds(begins('aaaaaaa'))).toEqual(['deposit aaaaaaaa-1', 'deposit aaaaaaab-2'])
    expect(await kinds(whole('on-ramp-1'))).toEqual(['session on-ramp-1'])
    expect(await kinds(whole('key-of-it'))).toEqual(['key key-of-it'])
  })

  test('withdrawals by id and by address, sessions, deposit addresses', async () => {
    const { one } = stores
    await one.sessions.addSession(sampleSession({ id: 'session-1' }), { hash: 'h', expires_ms: 9 })
    const at = { wallet_address: '0xAbCdEf01', transaction_uuid: null }
    await seed(one, {
      withdrawals: [
        sampleWithdrawal({ id: 'w-100', idempotency_key: 'a', ...at }),
        sampleWithdrawal({ id: 'w-101', idempotency_key: 'b', ...at }),
      ],
    })
    await one.addresses.saveFirst([
      {
        user_reference_id: 'u',
        currency_id: 'c1',
        address: 'TDeposit',
        currency: 'USDT',
        network: 'Tron',
        created_ms: 1,
      },
    ])
    expect(await one.search.withdrawalIds(whole('w-101'), MOST)).toEqual([['u', 'w-101']])
    expect((await one.search.withdrawalIds(begins('w-10'), MOST)).length).toBe(2)
    expect((await one.search.withdrawalsTo(whole('0xabcdef01'), MOST)).length).toBe(2)
    expect((await one.search.withdrawalsTo(begins('0xabcd'), MOST)).length).toBe(2)
    expect(await one.search.sessions(begins('sess'), MOST)).toMatchObject([{ id: 'session-1', ended_ms: null }])
    expect(await one.search.depositAddresses(whole('tdeposit'), MOST)).toMatchObject([{ user_reference_id: 'u' }])
  })

  test('transactions by hash, and purchases without a session of ours by their reference and key', async () => {
    const { one } = stores
    const purchase = { kind: 'onramp', transaction_uuid: 't2', tx_hash_key: null, user_reference_id: null } as const
    await seed(one, {
      transactions: [
        sampleTransaction({ tx_hash_key: 'abcdef0123' }),
        sampleTransaction({ ...purchase, session_reference: 'ref-1', correlation_key: 'key-1' }),
      ],
    })
    const uuids = (rows: readonly { readonly transaction_uuid: string }[]) => rows.map((row) => row.transaction_uuid)
    expect(uuids(await one.search.transactionsByHash(begins('abcdef'), MOST))).toEqual(['t1'])
    expect(uuids(await one.search.purchasesByReference('ref-1', MOST))).toEqual(['t2'])
    expect(await one.search.purchasesByReference('key-1', MOST)).toMatchObject([{ user_reference_id: null }])
  })

  test('lines of the quarantine about a transaction, while they are open', async () => {
    const { one } = stores
    await seed(one, { quarantine: [sampleQuarantined({ transaction_uuid: 't9' })] })
    const [id = 0] = await one.search.quarantineAbout('t9', MOST)
    expect(id).toBeGreaterThan(0)
    await one.quarantine.settle(id, { by: 'merchant', now: 5 })
    expect(await one.search.quarantineAbout('t9', MOST)).toEqual([])
  })

  test('what a request has made; a user who is erased takes it away', async () => {
    const { requestEffects, transaction, erasure } = stores.one
    const effect = { kind: 'withdrawal', name: 'w1', user_reference_id: 'u', created_ms: 1 } as const
    await requestEffects.note({ ...effect, request_id: 'request-1' })
    await requestEffects.note({ ...effect, request_id: 'request-1' })
    await requestEffects.note({ ...effect, request_id: null })
    expect(await requestEffects.of('request-1')).toEqual([{ ...effect, request_id: 'request-1' }])
    await transaction((tx) => tx.erasure.deletePersonalRows('u', new Set()))
    expect(await requestEffects.of('request-1')).toEqual([])
    expect(await erasure.hasData('u')).toBe(false)
  })
})
