import { expect, test } from 'vitest'
import { parseLosslessJson } from './lossless-json.ts'
import {
  currenciesReply,
  parseStoredRecord,
  paymentSessionReply,
  transactionsReply,
  transactionsToShowReply,
  withdrawReply,
} from './schemas.ts'

const json = (text: string): unknown => parseLosslessJson(new TextEncoder().encode(text))

const USDT = { id: 'c1', name: 'Tether USD', currency_code: 'USDT', symbol: '₮', network: 'Tron' }

test.each([
  ['a bare array', [USDT]],
  ['an object', { currencies: [USDT], page: 1 }],
])('currencies are read from %s', (_name, reply) => {
  expect(currenciesReply.parse(reply)).toMatchObject({ currencies: [USDT], leftOut: 0 })
})

test('an unreadable currency does not affect the others', () => {
  const odd = [{ ...USDT, id: 'c3', network: null }, { ...USDT, name: 'twice' }, 7, { ...USDT, id: '' }]
  expect(currenciesReply.parse([USDT, ...odd])).toMatchObject({ currencies: [USDT], leftOut: 4 })
})

test('a currency’s UUID in another case is the same id, and the first spelling is kept for calls', () => {
  const id = 'abcdef12-3456-4789-8abc-def012345678'
  const reply = currenciesReply.parse([
    { ...USDT, id: id.toUpperCase() },
    { ...USDT, id },
    { ...USDT, id: 'C1' },
  ])
  expect(reply.currencies.map((each) => each.id)).toEqual([id, 'C1'])
  expect(reply.leftOut).toBe(1)
  expect([...reply.spellings]).toEqual([
    [id, id.toUpperCase()],
    ['C1', 'C1'],
  ])
})

test('a currency keeps its icon if it has one, and needs no name besides its code', () => {
  const bare = { id: 'c2', currency_code: 'BTC', name: null, symbol: '', network: 'Bitcoin', currency_icon: null }
  const reply = [{ ...USDT, currency_icon: 'https://i.example/t.svg' }, bare]
  expect(currenciesReply.parse(reply).currencies).toEqual([
    { ...USDT, currency_icon: 'https://i.example/t.svg' },
    { id: 'c2', currency_code: 'BTC', name: 'BTC', symbol: 'BTC', network: 'Bitcoin' },
  ])
})

test.each([[{}], [{ currencies: {} }], ['[]'], [null]])('%j is not a list of currencies', (reply) => {
  expect(currenciesReply.safeParse(reply).success).toBe(false)
})

const node = {
  transaction_uuid: 't1',
  type: 'Staking',
  status: 'TXN_NEVER_SEEN',
  merchant_status: 'CALLBACK_PENDING',
  amount: '0.000000000000000001',
  amount_usd: null,
  currency: {
    id: 'c1',
    code: 'USDT',
    name: 'Tether',
    symbol: '₮',
    network: 'Tron',
    network_icon: 'https://i.example/n.svg',
  },
  correlation_key: 'k',
  from_address: null,
  to_address: 'T1',
  tx_hash: null,
  transaction_data: {},
  user_ref_id: 'user_1',
  inserted_at: '2026-11-20T10:00:00.123456Z',
  updated_at: '2026-11-20T10:00:01.123456',
  completed_at: null,
  new_field: { kept: true },
}
const page = (nodes: readonly unknown[]) => ({
  edges: nodes.map((each) => ({ cursor: 'abc', inserted_at: '2026-11-20T10:00:00Z', node: each })),
  page_info: { start_cursor: 'abc', end_cursor: 'abc', has_next_page: false, has_previous_page: false },
  total_count: String(nodes.length),
})

test('a record keeps unknown fields and statuses; absent values are null; a time without a zone is UTC', () => {
  const [edge] = transactionsReply.parse(page([node])).edges
  expect(edge?.node).toMatchObject({
    ...node,
    updated_at: '2026-11-20T10:00:01.123456Z',
    provider_transaction_id: null,
    failure_reason: null,
    currency: { ...node.currency, currency_icon: null, token_address: null },
  })
})

test('a text that the gateway leaves empty stays empty', () => {
  const empty = { correlation_key: '', currency: { ...node.currency, token_address: '' } }
  expect(transactionsReply.parse(page([{ ...node, ...empty }])).edges[0]?.node).toMatchObject(empty)
})

test('a record may lack times that it does not have yet', () => {
  const { updated_at: _updated_at, completed_at: _completed_at, ...open } = node
  const [edge] = transactionsReply.parse(page([open])).edges
  expect(edge?.node).toMatchObject({ updated_at: null, completed_at: null })
})

test('a record that was stored as JSON reads back unchanged', () => {
  const detail = { chain_id: '1', fee: '0.1', crypto_transaction: { chain_id: '56' } }
  const [edge] = transactionsReply.parse(page([{ ...node, transaction_data: detail }])).edges
  expect(parseStoredRecord(JSON.stringify(edge?.node))).toEqual(edge?.node)
  expect(() => parseStoredRecord('{}')).toThrow()
})

test('amounts keep 30 digits, and the integers of the provider detail stay numbers', () => {
  const number = '123456789012345.123456789012345'
  const text = JSON.stringify(page([{ ...node, amount: 'A', amount_usd: 'A', transaction_data: 'D' }]))
    .replaceAll('"A"', number)
    .replace('"D"', `{"amount":${number},"chain_id":1,"crypto_transaction":{"chain_id":137,"n":0.10}}`)
  const list = transactionsReply.parse(json(text))
  expect(list.total_count).toBe(1)
  expect(list.edges[0]?.node).toMatchObject({
    amount: number,
    amount_usd: number,
    transaction_data: { amount: number, chain_id: 1, crypto_transaction: { chain_id: 137, n: '0.10' } },
  })
})

test.each([
  ['an amount with an exponent', { amount: '1E-7' }, { amount: '0.0000001' }],
  ['an empty optional amount', { amount_usd: '' }, { amount_usd: null }],
  ['a zero with an exponent', { amount_usd: '0E-18' }, { amount_usd: '0.000000000000000000' }],
  ['an empty time', { completed_at: '', updated_at: 'soon' }, { completed_at: null, updated_at: null }],
  ['a provider detail that is no object', { transaction_data: [] }, { transaction_data: {} }],
  ['a negative chain id', { transaction_data: { chain_id: '-239' } }, { transaction_data: { chain_id: -239 } }],
  [
    'a long chain id',
    { transaction_data: { chain_id: '1'.repeat(18) } },
    { transaction_data: { chain_id: '1'.repeat(18) } },
  ],
  [
    'a chain id that is a name',
    { transaction_data: { crypto_transaction: { chain_id: 'ton' } } },
    { transaction_data: { crypto_transaction: { chain_id: 'ton' } } },
  ],
])('a record with %s is read', (_name, sent, read) => {
  const [edge] = transactionsReply.parse(page([{ ...node, ...sent }])).edges
  expect(edge?.node).toMatchObject(read)
  expect(parseStoredRecord(JSON.stringify(edge?.node))).toEqual(edge?.node)
})

test.each([
  ['an invalid amount', { ...node, amount: '1,5' }],
  ['no uuid', { ...node, transaction_uuid: null }],
  ['no currency id', { ...node, currency: { ...node.currency, id: undefined } }],
  ['an invalid time', { ...node, inserted_at: 'yesterday' }],
])('one record with %s makes the page unreadable', (_name, bad) => {
  expect(transactionsReply.safeParse(page([node])).success).toBe(true)
  expect(transactionsReply.safeParse(page([node, bad])).success).toBe(false)
})

test.each(['1.5', '-1', 'many', null])(
  'a total_count of %s makes a list unreadable, and is left out of a page for display',
  (total_count) => {
    expect(transactionsReply.safeParse({ ...page([]), total_count }).success).toBe(false)
    expect(transactionsToShowReply.parse({ ...page([node]), total_count })).toMatchObject({
      edges: [{ node: { transaction_uuid: node.transaction_uuid } }],
      total_count: null,
      left_out: 0,
    })
  },
)

test('a count that is less than the number of records on its page is left out', () => {
  expect(transactionsToShowReply.parse({ ...page([node, node]), total_count: '1' }).total_count).toBeNull()
  expect(transactionsToShowReply.parse({ ...page([node, node]), total_count: '3' }).total_count).toBe(3)
})

test('on a page for display, an unreadable record does not affect the others', () => {
  const later = { ...node, transaction_uuid: 't2' }
  const list = page([node, { ...node, inserted_at: 'yesterday' }, later])
  const read = transactionsToShowReply.parse({ ...list, edges: [null, ...list.edges, {}], total_count: '9' })
  expect(read.edges.map((edge) => edge.node.transaction_uuid)).toEqual([node.transaction_uuid, 't2'])
  expect(read).toMatchObject({ total_count: 9, left_out: 3 })
})

test('an empty page may have no cursors', () => {
  const page_info = { has_next_page: false, has_previous_page: false }
  expect(transactionsReply.parse({ ...page([]), page_info }).page_info.start_cursor).toBeNull()
})

const withdrawal = {
  amount: '1.0',
  currency: 'USDT',
  requires_approval: false,
  status: 'Processing',
  wallet_address: 'T1',
}

test('a withdrawal with an unknown status is read', () => {
  expect(withdrawReply.parse({ ...withdrawal, status: 'Parked', more: 1 })).toEqual({
    ...withdrawal,
    status: 'Parked',
    transaction_uuid: null,
  })
})

test.each([
  ['9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f', '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'],
  ['not a UUID', null],
  [null, null],
])('a transaction %j that the reply names is kept as %j', (transaction_uuid, kept) => {
  expect(withdrawReply.parse({ ...withdrawal, transaction_uuid }).transaction_uuid).toBe(kept)
})

test.each(Object.keys(withdrawal))('a withdrawal without %s is unreadable', (field) => {
  expect(withdrawReply.safeParse({ ...withdrawal, [field]: undefined }).success).toBe(false)
})

test('a payment session may come without an expiry', () => {
  expect(paymentSessionReply.parse({ link: 'https://p.example/x', correlation_key: 'm:s' })).toEqual({
    link: 'https://p.example/x',
    correlation_key: 'm:s',
    expires_at: null,
  })
})

test.each(['http://i.example/t.svg', 'javascript:alert(1)', 'data:image/svg+xml,x', '//i.example/t.svg', 'no address'])(
  'the icon %j is left out',
  (currency_icon) => {
    expect(currenciesReply.parse([{ ...USDT, currency_icon }]).currencies).toEqual([USDT])
  },
)

test.each([
  ['transaction_uuid', { transaction_uuid: 'a\0b' }],
  ['transaction_uuid', { transaction_uuid: 'x'.repeat(257) }],
  ['tx_hash', { tx_hash: 'x'.repeat(257) }],
  ['correlation_key', { correlation_key: '\ud800' }],
  ['currency', { currency: { ...node.currency, id: 'c\0' } }],
])('a record whose %s cannot be a database key is unreadable', (field, more) => {
  const read = transactionsReply.safeParse(page([{ ...node, ...more }]))
  expect(read.error?.issues[0]?.path).toContain(field)
})

test('other texts lose the characters that the databases cannot store', () => {
  const odd = 'a\0b\ud83dc'
  const read = transactionsReply.parse(
    page([{ ...node, type: odd, status: odd, to_address: odd, failure_reason: odd }]),
  )
  expect(read.edges[0]?.node).toMatchObject({ type: 'abc', status: 'abc', to_address: 'abc', failure_reason: 'abc' })
})

test('a correlation key may be as long as in a webhook', () => {
  const session = { link: 'https://pay.example', expires_at: null }
  expect(paymentSessionReply.safeParse({ ...session, correlation_key: 'k'.repeat(256) }).success).toBe(true)
  expect(paymentSessionReply.safeParse({ ...session, correlation_key: 'k'.repeat(257) }).success).toBe(false)
})
