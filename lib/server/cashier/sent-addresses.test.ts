import { describe, expect, test } from 'vitest'
import type { WithdrawalColumns } from '../ledger/rows.ts'
import { sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import type { CashierSession } from '../store/types.ts'
import { createSentAddresses, listedAddresses, MOST_OFFERED, MOST_OTHERS, sentAddresses } from './sent-addresses.ts'

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const SESSION = { user_reference_id: 'u' } as CashierSession
const at = (ms: number): string => new Date(ms).toISOString()

/** A withdrawal that succeeded, where the merchant keeps the balances. */
const withdrawn = (more: Partial<WithdrawalColumns> & { readonly id: string }) =>
  sampleWithdrawal({ status: 'succeeded', funds: 'none', wallet_address: TRON, idempotency_key: more.id, ...more })

const destination = (wallet_address: string, created_ms: number, network = 'Tron') => ({
  network,
  wallet_address,
  created_ms,
})

test('spellings of an address and of its network are one entry; another tag is another address', () => {
  const found = sentAddresses(
    [
      destination('0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD', 5, 'Ethereum'),
      destination('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd', 4, 'ERC20'),
      destination('0xabcdefabcdefabcdefabcdefabcdefabcdefabcd', 3, 'Polygon'),
      destination('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7', 2, 'XRP Ledger'),
      destination('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh:7', 1, 'XRP Ledger'),
      destination('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', 0, 'XRP Ledger'),
    ],
    [],
  )
  expect(found.map(({ network, last_sent_at }) => [network, last_sent_at])).toEqual([
    ['Ethereum', at(5)],
    ['Polygon', at(3)],
    ['XRP Ledger', at(2)],
    ['XRP Ledger', at(0)],
  ])
  expect(new Set(found.map(({ id }) => id)).size).toBe(4)
})

test('a forgotten address is offered again after a later withdrawal, without its name', () => {
  const [known] = sentAddresses([destination(TRON, 5)], [])
  const forgotten = [{ address_id: known?.id ?? '', name: null, forgotten_ms: 5 }]
  expect(sentAddresses([destination(TRON, 5)], forgotten)).toEqual([])
  expect(sentAddresses([destination(TRON, 6), destination(TRON, 5)], forgotten)).toMatchObject([
    { name: null, last_sent_at: at(6) },
  ])
})

test('50 addresses of the network are offered, the newest first; all others are for comparison', () => {
  const sent = sentAddresses(
    Array.from({ length: MOST_OFFERED + 2 }, (_, n) => destination(`T${n}`, 100 - n)),
    [],
  )
  const { addresses, others } = listedAddresses('Tron', { sent, own: [], received: [] })
  expect(addresses).toHaveLength(MOST_OFFERED)
  expect(addresses[0]?.address).toBe('T0')
  expect(others).toEqual([50, 51].map((n) => ({ address: `T${n}`, familiarity: 'sent', last_sent_at: at(100 - n) })))
})

test('of very many addresses for comparison, those that the user sent to or owns come first', () => {
  const many = Array.from({ length: MOST_OTHERS + 5 }, (_, n) => ({ network: 'Tron', address: `R${n}` }))
  const sent = sentAddresses([destination('0x1', 3, 'Polygon')], [])
  const tron = listedAddresses('Tron', { sent, own: [{ network: 'Tron', address: 'TOwn' }], received: many })
  expect(tron.others).toHaveLength(MOST_OTHERS)
  expect(tron.others[0]).toMatchObject({ address: 'TOwn', familiarity: 'own' })
})

test('addresses of other networks are for comparison if they have the same format', () => {
  const others = ['Ethereum', 'Polygon', 'Tron', 'Unchecked'].map((network) => ({ network, address: network }))
  const sent = sentAddresses([destination('0x1', 3, 'Polygon'), destination('T1', 2, 'Tron')], [])
  const listed = listedAddresses('Ethereum', { sent, own: others, received: others })
  expect(listed.addresses).toEqual([])
  expect(listed.others.map(({ address, familiarity }) => `${familiarity} ${address}`)).toEqual([
    'sent 0x1',
    'own Ethereum',
    'own Polygon',
    'received Ethereum',
    'received Polygon',
  ])
  const unchecked = listedAddresses('Unchecked', { sent, own: others, received: [] })
  expect(unchecked.others.map(({ address }) => address)).toEqual(['Unchecked'])
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour)
  let now = 10_000
  const open = () =>
    createSentAddresses({
      store: stores.one,
      currencies: {
        forSession: (_session, id) => Promise.resolve({ id, currency_code: 'USDT', network: 'Tron' } as never),
      },
      clock: () => now,
    })
  const query = { currency_id: 'c1' }

  async function fill(): Promise<void> {
    await stores.one.users.ensure('u', 0)
    await seed(stores.one, {
      withdrawals: [
        withdrawn({ id: 'w1', created_ms: 1 }),
        withdrawn({ id: 'w2', created_ms: 3 }),
        withdrawn({ id: 'w3', wallet_address: 'TFailed', status: 'failed' }),
        withdrawn({ id: 'w5', wallet_address: 'TOther', user_reference_id: 'v' }),
      ],
    })
    await stores.one.addresses.saveFirst([
      { user_reference_id: 'u', currency_id: 'c1', address: 'TOwn', currency: 'USDT', network: 'Tron', created_ms: 1 },
    ])
    await applyOneFact(stores.one, sampleFact({ status: 'succeeded', from_address: 'TFrom' }))
    await applyOneFact(stores.one, sampleFact({ transaction_uuid: 't2', status: 'succeeded', from_address: 'TFrom' }))
  }

  test('withdrawals that succeeded are listed, with the addresses for comparison', async () => {
    await fill()
    await seed(stores.one, {
      withdrawals: [withdrawn({ id: 'w4', wallet_address: 'TOpen', status: 'processing' })],
    })
    expect(await open().listAddresses(SESSION, query)).toEqual({
      addresses: [{ id: expect.any(String) as unknown, address: TRON, name: null, last_sent_at: at(3) }],
      others: [
        { address: 'TOwn', familiarity: 'own', last_sent_at: null },
        { address: 'TFrom', familiarity: 'received', last_sent_at: null },
      ],
    })
  })

  test('an address is named, forgotten, and erased with its user', async () => {
    await fill()
    const { listAddresses, nameAddress, forgetAddress } = open()
    const names = async () => (await listAddresses(SESSION, query)).addresses.map(({ name }) => name)
    const [{ id } = { id: '' }] = (await listAddresses(SESSION, query)).addresses
    expect(await nameAddress(SESSION, id, { name: 'Savings' })).toMatchObject({ id, address: TRON, name: 'Savings' })
    expect(await names()).toEqual(['Savings'])
    const stranger = { user_reference_id: 'v' } as CashierSession
    await expect(nameAddress(stranger, id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' })
    await nameAddress(SESSION, id, { name: '' })
    expect(await names()).toEqual([null])
    now += 1
    await nameAddress(SESSION, id, { name: 'Again' })
    await forgetAddress(SESSION, id)
    expect(await names()).toEqual([])
    await expect(forgetAddress(SESSION, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(nameAddress(SESSION, id, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await stores.one.addressNotes.ofUser('u')).toEqual([{ address_id: id, name: null, forgotten_ms: now }])
    expect(await eraseUser(stores.one, 'u', 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    expect(await stores.one.addressNotes.ofUser('u')).toEqual([])
    expect(await stores.one.addressNotes.ofUser('erased_1')).toEqual([])
    // By a call that had found the address before.
    await stores.one.addressNotes.put('u', { address_id: id, name: 'Late', forgotten_ms: null }, now)
    expect(await stores.one.addressNotes.ofUser('u')).toEqual([])
  })
})
