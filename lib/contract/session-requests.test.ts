import { expect, test } from 'vitest'
import { createSessionRequest } from './session-requests.ts'

const schema = createSessionRequest(['https://shop.example', 'http://127.0.0.1:4020'])
const USER = { user_reference_id: 'player-1' }

test('a session needs only a user', () => {
  expect(schema.parse(USER)).toEqual(USER)
})

test('all fields together are read', () => {
  const body = {
    ...USER,
    flows: ['history', 'deposit', 'deposit'],
    locale: 'de-AT',
    theme: 'auto',
    tokens: { '--accent': 'rgb(36 80 230)', radius: '12px' },
    support_url: 'https://help.example/cashier',
    country: 'DE',
    currency_ids: ['0198c1a2-0000-7000-8000-000000000001', '0198c1a2-0000-7000-8000-000000000001'],
    return_url: 'https://shop.example/back?from=cashier',
  }
  expect(schema.parse(body)).toEqual({
    ...body,
    flows: ['history', 'deposit'],
    tokens: { accent: 'rgb(36 80 230)', radius: '12px' },
    currency_ids: ['0198c1a2-0000-7000-8000-000000000001'],
  })
})

test('null means that a field is left out', () => {
  expect(schema.parse({ ...USER, locale: null, return_url: null })).toEqual(USER)
})

test.each([
  ['user_reference_id', undefined],
  ['user_reference_id', ''],
  ['user_reference_id', 'a b'],
  ['user_reference_id', 'ä'],
  ['user_reference_id', 'a\n'],
  ['user_reference_id', 'x'.repeat(129)],
  ['user_reference_id', 7],
  ['flows', []],
  ['flows', ['deposit', 'steal']],
  ['flows', 'deposit'],
  ['locale', 5],
  ['theme', 'blue'],
  ['tokens', { nonsense: '#fff' }],
  ['tokens', { accent: 'url(https://evil.example)' }],
  ['tokens', { accent: '#fff;} body{display:none' }],
  ['tokens', { font: 'x}</style><script>' }],
  ['tokens', { radius: '9999px' }],
  ['tokens', 'accent'],
  ['support_url', 'http://help.example'],
  ['support_url', 'javascript:alert(1)'],
  ['support_url', 'https://user:secret@help.example'],
  ['country', 'XX'],
  ['country', 'de'],
  ['country', 'DEU'],
  ['currency_ids', []],
  ['currency_ids', ['not-a-uuid']],
  ['return_url', 'https://evil.example'],
  ['return_url', 'https://shop.example.evil.example/'],
  ['return_url', 'https://shop.example:444/'],
  ['return_url', 'https://shop.example@evil.example/'],
  ['return_url', 'javascript:alert(1)'],
  ['return_url', '/back'],
  ['return_url', '//evil.example'],
  ['currencys', ['a misspelled field']],
])('%s may not be %j', (field, value) => {
  const parsed = schema.safeParse({ ...USER, [field]: value })
  expect(parsed.success).toBe(false)
  const issue = parsed.error?.issues[0]
  expect(issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]).toBe(field)
})
