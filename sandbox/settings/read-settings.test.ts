import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MODE_NAMES } from '../state/mode-guide.ts'
import { testMerchant } from '../testing/test-sandbox.ts'
import { readGivenSettings } from './flags.ts'
import { SettingsError, readSettings } from './read-settings.ts'

let keys: string
beforeEach(() => {
  keys = mkdtempSync(join(tmpdir(), 'sandbox-keys-'))
})
afterEach(() => {
  rmSync(keys, { recursive: true, force: true })
})

const read = (...args: readonly string[]) => readSettings(readGivenSettings(['--keys', keys, ...args], {}), 'test')

function faultsOf(...args: readonly string[]): readonly string[] {
  try {
    read(...args)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.faults
    throw error
  }
}

test.each([
  ['query-form', 'foo', 'bare, question-mark, or either'],
  ['magic-values', 'yes', 'true or false'],
  ['page-size', '0', 'a whole number from 1 to 10000'],
  ['approval-above', '-1', 'a decimal number above 0, or off'],
  ['payouts-complete-after-ms', 'soon', 'a whole number from 0 to 86400000, or off'],
  [
    'webhook-retries-ms',
    '1s,2s',
    'a list such as 1000,5000 or [1000,5000], each a whole number from 0 to 86400000; [] is an empty list',
  ],
  ['port', 'abc', 'a whole number from 0 to 65535'],
  ['port', '65536', 'a whole number from 0 to 65535'],
  ['public-url', 'sandbox', 'an http or https URL, such as http://sandbox.test:4010'],
  ['base-path', 'gateway/', 'a path that begins with a slash and does not end with one, such as /gateway'],
  ['webhook-url', 'ftp://a', 'an http or https URL, or none'],
  ['allow-production', '1', 'true or false'],
  ['allow-custom-external-wallet', 'no', 'true or false'],
])('--%s %s: the fault names the allowed values', (name, value, allowed) => {
  const variable = `SANDBOX_${name.replaceAll('-', '_').toUpperCase()}`
  expect(faultsOf(`--${name}=${value}`)).toEqual([`${variable} cannot be ${value}: it must be ${allowed}`])
})

test('the fault of every mode names the allowed values', () => {
  const said = MODE_NAMES.flatMap((name) => faultsOf(`--${name.replaceAll('_', '-')}={}`))
  expect(said).toHaveLength(MODE_NAMES.length)
  for (const fault of said) expect(fault).toMatch(/^SANDBOX_[A-Z_]+ cannot be \{\}: it must be \S+/)
})

test.each([
  ['1000,2000', [1000, 2000]],
  ['[1000,2000]', [1000, 2000]],
  ['1000', [1000]],
  ['[]', []],
])('a list can be given as %s', (text, webhook_retries_ms) => {
  expect(read('--webhook-retries-ms', text).options.modes).toEqual({ webhook_retries_ms })
})

test('all faults are reported together, and no keys are created', () => {
  const faults = faultsOf(
    '--port=abc',
    '--page-size=0',
    '--merchant-public-key=file:/nope',
    '--gateway-private-key=abc',
    '--merchants=[{"id":"a"}]',
  )
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'SANDBOX_PAGE_SIZE',
    'SANDBOX_PORT',
    'SANDBOX_MERCHANTS',
    'SANDBOX_MERCHANT_PUBLIC_KEY',
    'SANDBOX_GATEWAY_PRIVATE_KEY',
  ])
  expect(faults).toContain('SANDBOX_MERCHANT_PUBLIC_KEY cannot be used: the file /nope cannot be read (ENOENT)')
  expect(readdirSync(keys)).toEqual([])
})

const key = testMerchant.public_key
const whole = { id: 'b', api_key: 'k', public_key: key }

test.each([
  [[{ id: 'a' }], ['entry 1 (a): api_key and public_key are missing']],
  [[whole, {}], ['entry 2: id, api_key, and public_key are missing']],
  [
    [{ ...whole, api_key: undefined }, 5],
    ['entry 1 (b): api_key is missing', 'entry 2: must be an object'],
  ],
  [
    [{ ...whole, webhook_url: 'x', allow_custom_external_wallet: 'no', api_key: '' }],
    [
      'entry 1 (b): api_key must be a text',
      'entry 1 (b): allow_custom_external_wallet must be true or false',
      'entry 1 (b): webhook_url must be an http or https URL, or null',
    ],
  ],
  [
    [{ ...whole, public_key: 'file:/nope' }],
    ['entry 1 (b): public_key cannot be used: the file /nope cannot be read (ENOENT)'],
  ],
  [
    [whole, { ...whole, api_key: 'other' }, { ...whole, id: 'c' }],
    ['entry 2 (b): id is already used by an earlier entry', 'entry 3 (c): api_key is already used by an earlier entry'],
  ],
  [
    [{ ...whole, webhookUrl: 'http://shop.test/' }],
    [
      'entry 1 (b): webhookUrl is unknown: the fields are id, name, api_key, public_key, allow_custom_external_wallet, and webhook_url',
    ],
  ],
])('merchants %j: the fault names entry and fields', (merchants, expected) => {
  expect(faultsOf('--merchants', JSON.stringify(merchants))).toEqual(
    expected.map((fault) => `SANDBOX_MERCHANTS ${fault}`),
  )
})

test.each([
  ['[', /^SANDBOX_MERCHANTS is not JSON: it must be a JSON array of \{id, api_key, public_key, /],
  ['[]', /^SANDBOX_MERCHANTS must be a JSON array of .*, with at least one entry$/],
  ['{}', /^SANDBOX_MERCHANTS must be a JSON array of /],
  ['file:/nope', /^SANDBOX_MERCHANTS cannot be used: the file \/nope cannot be read \(ENOENT\)$/],
])('merchants %s: the fault describes the form', (text, fault) => {
  expect(faultsOf('--merchants', text)).toEqual([expect.stringMatching(fault)])
})
