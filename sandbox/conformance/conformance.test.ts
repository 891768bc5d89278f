import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { MUTATIONS } from '../faults/mutation-table.ts'
import type { Mutation } from '../faults/mutations.ts'
import { API_KEY, merchantPrivateKey, testSandbox } from '../testing/test-sandbox.ts'
import type { TestSandbox } from '../testing/test-sandbox.ts'
import type { SandboxOptions } from '../start-sandbox.ts'
import type { Group } from './check.ts'
import { runSuite } from './run-suite.ts'
import type { Result, SuiteOptions } from './run-suite.ts'

let sandbox: TestSandbox

afterEach(() => sandbox.close())

async function suite(options: Partial<SandboxOptions>, more: Partial<SuiteOptions> = {}): Promise<readonly Result[]> {
  sandbox = await testSandbox(options)
  return runSuite({
    baseUrl: sandbox.url,
    apiKey: API_KEY,
    privateKey: merchantPrivateKey,
    signQuery: 'bare',
    controlUrl: `${sandbox.origin}/control`,
    webhookTimeoutMs: 60_000,
    ...more,
  })
}

const failed = (results: readonly Result[]) => results.filter(({ outcome }) => outcome === 'failed')

const VARIANTS: readonly (readonly [string, Partial<SandboxOptions>, Partial<SuiteOptions>])[] = [
  ['with its defaults', {}, {}],
  ['with the object form of the list', { modes: { currencies_form: 'object' } }, {}],
  ['with a path prefix', { basePath: '/gateway/eu' }, {}],
  [
    'with a question mark in the signed query',
    { modes: { query_form: 'question-mark' } },
    { signQuery: 'question-mark' },
  ],
]

test.each(VARIANTS)('the sandbox %s passes every check', async (_name, options, more) => {
  const results = await suite(options, more)
  expect(failed(results)).toEqual([])
  expect(results.length).toBeGreaterThan(100)
})

test('a sandbox whose payment pages expire passes', async () => {
  const results = await suite({ modes: { onramp_expires_after_ms: 600_000 } }, { groups: ['payments'] })
  expect(failed(results)).toEqual([])
  expect(results.length).toBeGreaterThan(20)
})

test('without the control API no check moves money, and all others pass', async () => {
  const results = await suite({}, { controlUrl: undefined })
  const { body } = await sandbox.control('GET', '/withdrawals')
  expect(failed(results)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(50)
  expect(body['withdrawals']).toEqual([])
})

/** The group of checks that must find each fault. */
const FOUND_BY: Readonly<Record<Mutation, Group>> = {
  accepts_a_reused_nonce: 'authentication',
  accepts_a_short_nonce: 'authentication',
  ignores_a_missing_nonce: 'authentication',
  accepts_several_nonces: 'authentication',
  accepts_an_unknown_key: 'authentication',
  ignores_a_missing_key: 'authentication',
  ignores_a_missing_signature: 'authentication',
  does_not_check_signatures: 'authentication',
  ignores_the_timestamp: 'authentication',
  signs_white_space_too: 'authentication',
  returns_401_for_a_short_nonce: 'authentication',
  lists_currencies_without_network: 'currencies',
  gives_every_currency_one_id: 'currencies',
  gives_addresses_with_a_wrong_checksum: 'addresses',
  gives_all_users_one_address: 'addresses',
  gives_a_new_address_each_time: 'addresses',
  names_another_network: 'addresses',
  names_the_transaction_of_a_withdrawal: 'withdrawals',
  returns_withdrawal_amounts_as_numbers: 'withdrawals',
  returns_withdrawals_without_status: 'withdrawals',
  never_requires_approval: 'withdrawals',
  withdraws_any_amount: 'withdrawals',
  returns_errors_as_text: 'withdrawals',
  lists_oldest_first: 'transactions',
  counts_the_page_only: 'transactions',
  reports_no_next_page: 'transactions',
  reports_no_previous_page: 'transactions',
  always_has_a_next_page: 'transactions',
  ignores_after: 'transactions',
  ignores_before: 'transactions',
  takes_last_for_first: 'transactions',
  gives_a_foreign_end_cursor: 'transactions',
  ignores_transaction_types: 'transactions',
  ignores_time_range: 'transactions',
  takes_yesterday_for_today: 'transactions',
  takes_last_month_for_this: 'transactions',
  lists_amounts_as_numbers: 'transactions',
  rounds_amounts: 'transactions',
  lists_records_without_a_field: 'transactions',
  lists_another_user: 'transactions',
  lists_unknown_statuses: 'transactions',
  lists_any_user_reference: 'transactions',
  accepts_off_ramp: 'payments',
  allows_custom_wallets_always: 'payments',
  refuses_with_400: 'payments',
  gives_errors_as_texts: 'payments',
  does_not_name_the_field: 'payments',
  accepts_any_country: 'payments',
  accepts_any_redirect_url: 'payments',
  needs_no_redirect_url: 'payments',
  needs_no_user: 'payments',
  gives_a_correlation_key_of_its_own: 'payments',
  sends_an_invalid_expires_at: 'payments',
  sends_an_expires_at_that_is_over: 'payments',
  refuses_any_metadata: 'payments',
  gives_no_wallet_link: 'addresses',
  repeats_the_first_page_of_all_users: 'transactions',
  gives_no_link: 'payments',
  gives_a_legacy_link_without_success: 'payments',
  sends_amounts_as_texts: 'webhooks',
  sends_amounts_as_floats: 'webhooks',
  sends_another_id: 'webhooks',
  sends_no_merchant_reference: 'webhooks',
  sends_other_statuses: 'webhooks',
  sends_on_ramps_with_a_currency: 'webhooks',
  sends_payments_before_they_are_made: 'webhooks',
  sends_on_ramps_without_hash: 'webhooks',
  omits_the_session_reference: 'webhooks',
  omits_the_user: 'webhooks',
  sends_every_on_ramp_its_own_uuid: 'webhooks',
  sends_timestamps_in_milliseconds: 'webhooks',
  signs_the_body_without_timestamp: 'webhooks',
  signs_the_body_without_white_space: 'webhooks',
  signs_webhooks_url_safe: 'webhooks',
}

describe('a deliberate fault is found', () => {
  test.each(Object.keys(MUTATIONS) as Mutation[])('%s', async (mutation) => {
    const results = await suite({ mutations: [mutation] }, { groups: [FOUND_BY[mutation]], webhookTimeoutMs: 300 })
    expect(failed(results).length).toBeGreaterThan(0)
  })
})

async function commandLine(...more: readonly string[]): Promise<{ code: number; said: string }> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const key = merchantPrivateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const args = [
    '--base-url',
    sandbox.url,
    '--api-key',
    API_KEY,
    `--private-key=${key.replaceAll('\n', '\\n')}`,
    ...more,
  ]
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

describe('on the command line', () => {
  test('it prints the counts, and exits with 0 if every check passed', async () => {
    sandbox = await testSandbox()
    const { code, said } = await commandLine('--only', 'authentication', '--control-url', `${sandbox.origin}/control`)
    expect(said).toMatch(/^ok {4}authentication: a call with a valid signature is accepted$/m)
    expect(said).toMatch(/^(\d+) checks: \1 passed, 0 failed, 0 skipped$/m)
    expect(code).toBe(0)
  })

  test('it names the failed checks, and exits with 1', async () => {
    sandbox = await testSandbox({ mutations: ['accepts_a_reused_nonce'] })
    const { code, said } = await commandLine('--only', 'authentication')
    expect(said).toMatch(/^FAIL {2}authentication: a nonce used before is 401/m)
    expect(said).toMatch(/2 failed, 1 skipped$/m)
    expect(code).toBe(1)
  })

  test('it names the missing flag', async () => {
    sandbox = await testSandbox()
    const { code, said } = await commandLine('--base-url', 'nowhere')
    expect(said).toContain('--base-url must be a URL')
    expect(code).toBe(1)
  })
})
