/** What every table's reader and writer promises, on both databases. */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Posting } from '../ledger/accounts.ts'
import {
  sampleCurrency,
  sampleFact,
  sampleOnramp,
  sampleRecord,
  sampleTransaction,
  sampleWithdrawal,
} from './testing/sample-rows.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

/** More digits than a double has, and the smallest amount of a token with 18 decimals. */
const AMOUNTS = ['0.000000000000000001', '123456789012345678.123456789012345678', '0', '1.50', '-3.000', '00.10']

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('users: prepared, known from the first session on', async () => {
    const { users } = stores.one
    await users.insertIfMissing('u', 5)
    expect(await users.exists('u')).toBe(false)
    expect(await users.ensure('u', 10)).toBe(true)
    expect(await users.ensure('u', 20)).toBe(false)
    expect(await users.exists('u')).toBe(true)
    expect(await users.exists('v')).toBe(false)
  })

  test('users: a lock gives those that are known', async () => {
    await stores.one.users.ensure('a', 1)
    await stores.one.users.insertIfMissing('b', 1)
    const known = await stores.one.transaction((tx) => tx.users.lock(['b', 'a', 'c', 'a']))
    expect([...known]).toEqual(['a'])
    expect(await stores.one.transaction((tx) => tx.users.lock([]))).toEqual(new Set())
  })

  test("currencies: the list replaces the list; what it no longer has stays known; webhooks' words rename nothing", async () => {
    const { currencies } = stores.one
    const other = { ...sampleCurrency, id: 'c2', currency_code: 'BTC', currency_icon: 'https://icons.example/btc.svg' }
    await currencies.replaceListed([other, sampleCurrency], 1)
    expect(await currencies.all()).toEqual([
      { ...other, listed: true },
      { ...sampleCurrency, listed: true },
    ])
    await currencies.replaceListed([{ ...sampleCurrency, name: 'Tether USD' }], 2)
    await currencies.learn({ ...sampleCurrency, name: 'something else' }, 3)
    await currencies.learn({ ...sampleCurrency, id: 'c3' }, 3)
    expect(await currencies.byId('c1')).toMatchObject({ name: 'Tether USD', listed: true })
    expect(await currencies.byId('c2')).toMatchObject({ listed: false })
    expect(await currencies.byId('c3')).toMatchObject({ listed: false })
    expect(await currencies.byId('c4')).toBeNull()
    expect(await currencies.count()).toBe(1)
  })

  test('addresses: the first is kept', async () => {
    const { addresses } = stores.one
    const first = { address: 'T1', currency: 'USDT', network: 'Tron' }
    expect(await addresses.find('u', 'c1')).toBeNull()
    expect(await addresses.saveFirst('u', 'c1', first, 1)).toEqual(first)
    expect(await addresses.saveFirst('u', 'c1', { ...first, address: 'T2' }, 2)).toEqual(first)
    expect(await addresses.find('u', 'c1')).toEqual(first)
    expect(await addresses.find('u', 'c2')).toBeNull()
  })

  test('facts: one for each status and source; the first stays', async () => {
    const { transactions } = stores.one
    await transactions.putFact(sampleFact({ source: 'reconciliation', content: 'list' }))
    await transactions.putFact(sampleFact({ content: 'webhook' }))
    await transactions.putFact(sampleFact({ content: 'again' }))
    await transactions.putFact(sampleFact({ status: 'succeeded', content: 'later' }))
    await transactions.putFact(sampleFact({ kind: 'onramp', content: 'other kind' }))
    const facts = await transactions.facts('deposit', 't1')
    expect(facts.map(({ status, content }) => `${status} ${content}`).sort()).toEqual([
      'processing list',
      'processing webhook',
      'succeeded later',
    ])
  })

  test('transactions: kept whole, found by each of their names', async () => {
    const { transactions } = stores.one
    const deposit = sampleTransaction()
    const onramp = sampleTransaction({
      kind: 'onramp',
      transaction_uuid: 't2',
      onramp_session_id: 'o1',
      correlation_key: 'k1',
      created_ms: 2000,
    })
    await transactions.put(deposit)
    await transactions.put(onramp)
    await transactions.put({ ...deposit, status: 'failed' })
    await transactions.setCredited('deposit', 't1', decimal('7.00'))
    expect(await transactions.find('deposit', 't1')).toEqual({ ...deposit, status: 'failed', credited: '7.00' })
    expect(await transactions.find('payout', 't1')).toBeNull()
    const nameless = { ...onramp, transaction_uuid: 'x', tx_hash_key: null, correlation_key: null }
    for (const name of [{ tx_hash_key: '0xab' }, { transaction_uuid: 't2' }, { correlation_key: 'k1' }])
      expect(await transactions.sameTransfer({ ...nameless, ...name })).toContainEqual(onramp)
    expect(await transactions.sameTransfer(onramp)).toHaveLength(2)
    expect(await transactions.sameTransfer(nameless)).toEqual([])
    expect(await transactions.sameTransfer({ ...onramp, user_reference_id: 'v' })).toEqual([])
    expect(await transactions.sameTransfer({ ...onramp, currency_id: 'c2' })).toEqual([])
    expect(await transactions.byUuids(['t2', 'x'])).toEqual([onramp])
    expect(await transactions.byUuids([])).toEqual([])
    expect(await transactions.byOnrampSessions(['o1'])).toEqual([onramp])
    expect((await transactions.ofUser('u', 0, 9)).map((row) => row.transaction_uuid)).toEqual(['t2', 't1'])
    expect((await transactions.ofUser('u', 2000, 9)).map((row) => row.transaction_uuid)).toEqual(['t2'])
    expect((await transactions.ofUser('u', 0, 1)).map((row) => row.transaction_uuid)).toEqual(['t2'])
  })

  test('withdrawals: kept whole, matched oldest first, advanced by one driver only', async () => {
    const { withdrawals } = stores.one
    const first = sampleWithdrawal({ step: 'calling', next_check_ms: 500 })
    const second = sampleWithdrawal({ id: 'w2', idempotency_key: 'key-2', transaction_uuid: 't9', created_ms: 900 })
    await withdrawals.insert(first)
    await withdrawals.insert(second)
    expect(await withdrawals.find('w1')).toEqual(first)
    expect(await withdrawals.byKey('u', 'key-2')).toEqual(second)
    expect(await withdrawals.byKey('v', 'key-2')).toBeNull()
    expect(await withdrawals.byTransaction('t9')).toEqual(second)
    expect(await withdrawals.byTransactions(['t9', 'x'])).toEqual([second])
    const { user_reference_id, currency_id, amount_key, address_key } = first
    const matching = await withdrawals.matching({ user_reference_id, currency_id, amount_key, address_key })
    expect(matching.map(({ id }) => id)).toEqual(['w2', 'w1'])
    expect((await withdrawals.ofUser('u', 950, 9)).map(({ id }) => id)).toEqual(['w1'])
    expect((await withdrawals.dueForCheck(['u', 'v'])).map(({ id }) => id)).toEqual(['w1'])
    expect(await withdrawals.dueForCheck(['v'])).toEqual([])
    expect(await withdrawals.dueForCheck([])).toEqual([])
    expect((await withdrawals.inFlight(9)).map(({ id }) => id)).toEqual(['w1'])
    const both = await Promise.all(
      [1, 2].map((checks) => withdrawals.advance('w1', 'calling', { step: 'ended', checks })),
    )
    expect(both.sort()).toEqual([false, true])
    await withdrawals.update('w1', { status: 'failed' })
    expect(await withdrawals.find('w1')).toMatchObject({ step: 'ended', status: 'failed' })
    await expect(withdrawals.insert(sampleWithdrawal({ id: 'w3' }))).rejects.toThrow(/unique/i)
  })

  test('on-ramp sessions: kept whole, found by id and key, listed newest first', async () => {
    const { onramps } = stores.one
    const second = sampleOnramp({ id: 'o2', correlation_key: 'k2', created_ms: 2000 })
    await onramps.insert(sampleOnramp())
    await onramps.insert(second)
    await onramps.update('o1', { status: 'succeeded', transaction_uuid: 't1' })
    expect(await onramps.find('o1')).toEqual(sampleOnramp({ status: 'succeeded', transaction_uuid: 't1' }))
    expect(await onramps.byCorrelation('k2')).toEqual(second)
    expect(await onramps.byCorrelation('k3')).toBeNull()
    expect(await onramps.byCorrelations(['k2', 'k3'])).toEqual([second])
    expect((await onramps.ofUser('u', 0, 9)).map(({ id }) => id)).toEqual(['o2', 'o1'])
  })

  test('ledger: every digit of an amount comes back as it went in', async () => {
    const { ledger } = stores.one
    for (const [n, text] of AMOUNTS.entries()) {
      const amount = decimal(text)
      const user_reference_id = `u${n}`
      const posting = { posting_key: `p${n}`, user_reference_id, currency_id: 'c1', detail: '{"n":1}' }
      await ledger.insertPosting({ ...posting, kind: 'credit', entries: [{ account: 'available', amount }] }, 7)
      await ledger.setBalance({
        user_reference_id,
        currency_id: 'c1',
        available: amount,
        held: amount,
        overdraft: null,
      })
      await ledger.setBalance({
        user_reference_id,
        currency_id: 'c1',
        available: amount,
        held: amount,
        overdraft: 'late_payout',
      })
      expect(await ledger.balance(user_reference_id, 'c1')).toEqual({
        user_reference_id,
        currency_id: 'c1',
        available: text,
        held: text,
        overdraft: 'late_payout',
      })
      expect(await ledger.balances(user_reference_id)).toHaveLength(1)
    }
    expect((await ledger.entries()).map(({ amount }) => amount).sort()).toEqual([...AMOUNTS].sort())
    expect(await ledger.findPosting('p0')).toEqual({ detail: '{"n":1}', created_ms: 7 })
    expect(await ledger.findPosting('q')).toBeNull()
    expect(await ledger.balance('nobody', 'c1')).toMatchObject({ available: '0', held: '0' })
    await stores.one.withdrawals.insert(sampleWithdrawal({ amount: decimal(AMOUNTS[1]!) }))
    await stores.one.withdrawals.insert(sampleWithdrawal({ id: 'w2', idempotency_key: 'k2', funds: 'paid' }))
    expect(await ledger.heldByWithdrawals()).toEqual([
      { user_reference_id: 'u', currency_id: 'c1', amount: AMOUNTS[1] },
    ])
    expect(await ledger.allBalances()).toHaveLength(AMOUNTS.length)
  })

  test('ledger: a posting is booked once', async () => {
    const posting: Posting = {
      posting_key: 'p',
      user_reference_id: 'u',
      currency_id: 'c1',
      kind: 'credit',
      entries: [{ account: 'available', amount: decimal('1') }],
    }
    await stores.one.ledger.insertPosting(posting, 1)
    await expect(stores.one.ledger.insertPosting(posting, 2)).rejects.toThrow(/unique/i)
  })

  test('inbox: raw webhooks, and a quarantine read in order', async () => {
    const { inbox, users } = stores.one
    await inbox.saveRaw([])
    await inbox.saveRaw([{ id: 'a', received_ms: 1, sent_s: 1, body: '{"ä":"€"}', outcome: 'applied' }])
    for (const [reason, user] of [
      ['unknown_user', 'u'],
      ['stale', 'u'],
      ['unknown_user', 'v'],
    ] as const)
      await inbox.quarantine({
        reason,
        received_ms: 1,
        event_name: null,
        user_reference_id: user,
        transaction_uuid: null,
        event: '{}',
      })
    const open = { reason: null, settled: false, after: 0, limit: 9 }
    const all = await inbox.listQuarantine(open)
    const [first] = all
    expect(all.map(({ reason }) => reason)).toEqual(['unknown_user', 'stale', 'unknown_user'])
    expect(await inbox.listQuarantine({ ...open, after: first!.id, limit: 1 })).toEqual([all[1]])
    expect(await inbox.waiting(['unknown_user', 'unknown_currency'], { after: 0, limit: 9 })).toHaveLength(2)
    expect(await inbox.waiting(['unknown_user'], { after: 0, limit: 9, user: 'v' })).toEqual([all[2]])
    await users.insertIfMissing('v', 1)
    expect(await inbox.knownUsersInQuarantine()).toEqual([])
    await users.ensure('v', 1)
    expect(await inbox.knownUsersInQuarantine()).toEqual(['v'])
    expect(await inbox.listQuarantine({ ...open, reason: 'stale' })).toEqual([all[1]])
    await inbox.setReason(all[2]!.id, 'conflict')
    expect(await inbox.settle(all[2]!.id, { by: 'merchant', now: 7, note: 'ours' })).toBe(true)
    expect(await inbox.findQuarantined(all[2]!.id)).toEqual({
      ...all[2],
      reason: 'conflict',
      settled_ms: 7,
      settled_by: 'merchant',
      note: 'ours',
    })
    expect(await inbox.knownUsersInQuarantine()).toEqual([])
    expect(await inbox.settle(first!.id, { by: 'system', now: 8 })).toBe(true)
    expect(await inbox.settle(first!.id, { by: 'merchant', now: 9 })).toBe(false)
    await inbox.setReason(first!.id, 'stale')
    expect(await inbox.listQuarantine(open)).toEqual([all[1]])
    expect(await inbox.waiting(['unknown_user'], { after: 0, limit: 9 })).toEqual([])
    const settled = { ...open, settled: true }
    expect((await inbox.listQuarantine(settled)).map(({ reason, settled_by }) => [reason, settled_by])).toEqual([
      ['unknown_user', 'system'],
      ['conflict', 'merchant'],
    ])
    expect(await inbox.listQuarantine({ ...settled, reason: 'stale' })).toEqual([])
    expect(await inbox.findQuarantined(99)).toBeNull()
  })

  test("records: the gateway's list as last seen, filtered, newest first", async () => {
    const { records } = stores.one
    await records.put(sampleRecord())
    await records.put(sampleRecord({ transaction_uuid: 't2', type: 'Payout', inserted_ms: 2000 }))
    await records.put(sampleRecord({ transaction_uuid: 't2', type: 'Payout', inserted_ms: 2000, status: 'DONE' }))
    await records.put(sampleRecord({ user_reference_id: 'v' }))
    const named = async (filter: Parameters<typeof records.list>[1]) =>
      (await records.list('u', filter)).map((row) => `${row.transaction_uuid} ${row.status}`)
    expect(await named({})).toEqual(['t2 DONE', 't1 TXN_NEW'])
    expect(await named({ types: ['Deposit'] })).toEqual(['t1 TXN_NEW'])
    expect(await named({ fromMs: 1001 })).toEqual(['t2 DONE'])
    expect(await named({ fromMs: 1000, untilMs: 2000 })).toEqual(['t1 TXN_NEW'])
    expect(await records.byUuids('u', ['t1', 'x'])).toEqual([sampleRecord()])
    expect(await records.byUuids('u', [])).toEqual([])
  })

  test('a lease that many ask for at once has one holder', async () => {
    const others = flavour === 'postgres' ? [await stores.another(), await stores.another()] : []
    const asked = [stores.one, ...others].flatMap((store) =>
      [1, 2, 3].map((n) => store.leases.take('job', `${n}`, 60_000).then((taken) => (taken ? [n] : []))),
    )
    const holders = new Set((await Promise.all(asked)).flat())
    expect(holders.size).toBe(1)
  })
})
