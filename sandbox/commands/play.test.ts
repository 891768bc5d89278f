import { readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EXAMPLE_SCENES } from '../scenes/examples.ts'
import { TRON_WALLET, controlCall, eventually, signedCall, testReceiver } from '../testing/test-sandbox.ts'
import type { TestReceiver } from '../testing/test-sandbox.ts'
import { sandboxProcesses } from '../testing/sandbox-process.ts'

const { start, run, ended, folder } = sandboxProcesses()
let receiver: TestReceiver

beforeEach(async () => {
  receiver = await testReceiver()
})
afterEach(() => receiver.close())

const gateway = () => start([], { SANDBOX_WEBHOOK_URL: receiver.url })

async function withdraw(url: string): Promise<string> {
  const listed = (await signedCall(url, 'GET', '/v1/merchant/currencies')).body as unknown as readonly {
    id: string
    currency_code: string
    network: string
  }[]
  const currency = listed.find(({ currency_code, network }) => currency_code === 'USDT' && network === 'Tron')
  const order = {
    currency_id: currency?.id,
    amount: '5',
    wallet_address: TRON_WALLET,
    user_reference_id: 'scene-user',
  }
  // The gateway never answers it; the end of the process does.
  void signedCall(url, 'POST', '/v1/user/withdraw', order).catch(() => undefined)
  return 'asked'
}

/** What a person or the merchant's site does when a scene asks for it. */
const PARTS: Readonly<Record<string, { ask: string; act: (url: string) => Promise<unknown> }>> = {
  'payout-timeout': { ask: 'Withdraw on your site', act: withdraw },
  'lost-webhook': {
    ask: 'Let your site read',
    act: (url) => signedCall(url, 'POST', '/v1/user/transactions', { user_reference_id: 'scene-user' }),
  },
}

/** What the merchant's endpoint receives in each scene, in order. */
const RECEIVED: Readonly<Record<string, readonly string[]>> = {
  'clock-ahead': ['processing', 'succeeded'],
  'deposit-fails-then-succeeds': ['processing', 'processing', 'succeeded'],
  'duplicate-webhook': ['processing', 'succeeded', 'succeeded', 'succeeded'],
  'failed-purchase': ['pending', 'processing', 'failed'],
  'gateway-restart': ['processing', 'succeeded'],
  'late-webhook': ['processing', 'succeeded'],
  'lost-webhook': [],
  'payout-timeout': ['succeeded'],
  'rounded-amount': ['processing', 'succeeded'],
  'webhooks-out-of-order': ['succeeded', 'processing'],
}

test.each(Object.keys(EXAMPLE_SCENES))('the scene %s is played to its end, and leaves nothing behind', async (name) => {
  const { url } = await gateway()
  const before = (await controlCall(url, 'GET', '/modes')).body
  const { child, said } = run(['play', name, '--sandbox', url])
  const part = PARTS[name]
  if (part) {
    await eventually(said).toContain(part.ask)
    await part.act(url)
  }
  const [code] = (await once(child, 'close')) as [number]
  expect([code, said()]).toEqual([0, expect.stringContaining('steps as expected')])
  expect(receiver.deliveries.map(({ event }) => event.transaction.status)).toEqual(RECEIVED[name])
  expect((await controlCall(url, 'GET', '/faults')).body['faults']).toEqual([])
  expect((await controlCall(url, 'GET', '/modes')).body).toEqual(before)
})

test('a file is played for another user, and its last step fails with what there was instead', async () => {
  const { url } = await gateway()
  receiver.statuses.push(200, 503)
  const scene = JSON.parse(readFileSync(join(import.meta.dirname, '../scenes/duplicate-webhook.json'), 'utf8')) as {
    steps: object[]
  }
  scene.steps[3] = { do: 'expect_webhook', status: 'succeeded', times: 4, within_ms: 1500 }
  const file = join(folder(), 'mine.json')
  writeFileSync(file, JSON.stringify(scene))
  const { code, said } = await ended(['play', file, '--user', 'ada', '--sandbox', url])
  expect(code).toBe(1)
  expect(said).toMatch(/FAILED {2}step 4 \(expect_webhook\): expected 4 with the answer 2xx within 1500 ms; there was/)
  expect(said).toMatch(/User Deposit succeeded of 10 \(503 in \d+ ms/)
  expect((await controlCall(url, 'GET', '/transactions?user_reference=ada')).body['transactions']).toHaveLength(1)
  expect((await controlCall(url, 'GET', '/faults')).body['faults']).toEqual([])
})

test('Ctrl+C ends a scene and removes its faults and modes', async () => {
  const { url } = await gateway()
  const file = join(folder(), 'long.json')
  const steps = [
    { do: 'set_fault', target: '*', kind: 'silence', times: 'always' },
    { do: 'set_modes', modes: { approval_above: '1' } },
    { do: 'wait', ms: 600_000 },
  ]
  writeFileSync(file, JSON.stringify({ name: 'Long', about: 'Waits.', steps }))
  const { child, said } = run(['play', file, '--sandbox', url])
  await eventually(said).toContain('set_modes')
  expect((await controlCall(url, 'GET', '/faults')).body['faults']).toHaveLength(1)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said()).toContain('stopped')
  expect((await controlCall(url, 'GET', '/faults')).body['faults']).toEqual([])
  expect((await controlCall(url, 'GET', '/modes')).body['approval_above']).toBe('1000')
})

test('a scene that cannot be played is refused before its first step, with all faults', async () => {
  const file = join(folder(), 'wrong.json')
  const steps = [{ do: 'trigger', event: 'deposit.processing' }, { do: 'wait' }, { do: 'dance' }]
  writeFileSync(file, JSON.stringify({ name: 'Wrong', about: 'Wrong.', steps }))
  const { code, said } = await ended(['play', file])
  expect(code).toBe(1)
  expect(said).toContain('step 2 (wait): ms is missing')
  expect(said).toContain('step 3 (dance): do must be one of')
  for (const args of [['play'], ['play', 'nowhere.json'], ['play', 'late-webhook', '--user', 'a b']])
    expect((await ended(args)).code).toBe(1)
  expect((await ended(['play', 'nowhere.json'])).said).toContain('duplicate-webhook')
})
