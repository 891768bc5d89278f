import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeKeyPair, readPem } from './settings/keys.ts'
import {
  API_KEY,
  TRON_WALLET,
  USDT_ON_TRON,
  controlCall,
  signedCall,
  testMerchant,
  testReceiver,
  eventually,
} from './testing/test-sandbox.ts'
import type { TestReceiver } from './testing/test-sandbox.ts'
import { sandboxProcesses } from './testing/sandbox-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMAND_NAMES = ['listen', 'trigger', 'play', 'conformance']
const { folder, start, ended } = sandboxProcesses()

describe('a killed process', () => {
  let receiver: TestReceiver

  beforeEach(async () => {
    receiver = await testReceiver()
  })
  afterEach(() => receiver.close())

  test('loses nothing over a restart', async () => {
    const env = { SANDBOX_WEBHOOK_URL: receiver.url, SANDBOX_WEBHOOK_RETRIES_MS: '[300,300,300]' }
    const first = await start([], env)
    const nonce = crypto.randomUUID()
    const listed = await signedCall(first.url, 'GET', '/v1/merchant/currencies', undefined, nonce)
    const currencies = listed.body as unknown as readonly { id: string; currency_code: string; network: string }[]
    const currency_id = currencies.find(
      ({ currency_code, network }) => currency_code === 'USDT' && network === 'Tron',
    )!.id
    const address = await signedCall(first.url, 'POST', '/v1/user/deposit/address', {
      currency_id,
      user_reference: 'ada',
    })
    const order = { currency_id, amount: '5', wallet_address: TRON_WALLET, user_reference_id: 'ada' }

    receiver.statuses.push(500)
    await controlCall(first.url, 'POST', '/deposits', { ...USDT_ON_TRON, amount: '7' })
    await eventually(() => receiver.deliveries.length).toBe(1)
    await controlCall(first.url, 'PATCH', '/modes', { page_size: 7, payouts_complete_after_ms: 400 })
    await controlCall(first.url, 'POST', '/faults', { target: 'payments', kind: 'garbage', times: 3 })
    const cut = await controlCall(first.url, 'POST', '/faults', { target: 'withdraw', kind: 'silence' })
    expect(cut.status).toBe(200)
    const inFlight = signedCall(first.url, 'POST', '/v1/user/withdraw', order).catch(() => 'cut')
    await eventually(
      async () => (await controlCall(first.url, 'GET', '/withdrawals')).body['withdrawals'],
    ).toHaveLength(1)
    const before = await controlCall(first.url, 'GET', '/calls')
    first.child.kill('SIGKILL')
    await once(first.child, 'close')
    expect(await inFlight).toBe('cut')

    const second = await start([], env)
    expect((await signedCall(second.url, 'GET', '/v1/merchant/currencies', undefined, nonce)).body).toEqual({
      message: 'invalid request signature',
    })
    expect(
      (await signedCall(second.url, 'POST', '/v1/user/deposit/address', { currency_id, user_reference: 'ada' })).body,
    ).toEqual(address.body)
    const calls = (await controlCall(second.url, 'GET', '/calls')).body['calls'] as unknown[]
    expect(calls.slice(0, (before.body['calls'] as unknown[]).length)).toEqual(before.body['calls'])
    const { body } = await controlCall(second.url, 'GET', '/state')
    expect(body['modes']).toMatchObject({ page_size: 7 })
    expect((await controlCall(second.url, 'GET', '/faults')).body['faults']).toMatchObject([
      { kind: 'garbage', remaining: 3 },
      { remaining: 0 },
    ])
    await eventually(() =>
      receiver.deliveries.map(({ event }) => `${event.event} ${event.transaction.status}`),
    ).toEqual(expect.arrayContaining(['User Deposit processing', 'User Deposit processing', 'User Payout succeeded']))
    const list = await signedCall(second.url, 'POST', '/v1/user/transactions', { user_reference_id: 'ada' })
    expect(list.body['total_count']).toBe(1)
  })

  test('killed twice under load, it has stored each answered call exactly once', async () => {
    const answered: string[] = []
    for (let turn = 0; turn < 2; turn += 1) {
      const { child, url } = await start([], { SANDBOX_WEBHOOK_URL: 'none' })
      const load = Array.from({ length: 40 }, async (_item, at) => {
        const reply = await controlCall(url, 'POST', '/deposits', { ...USDT_ON_TRON, amount: `${turn + 1}.${at + 1}` })
        answered.push((reply.body['transaction'] as { transaction_uuid: string }).transaction_uuid)
      })
      await Promise.race(load.slice(10))
      child.kill('SIGKILL')
      await Promise.allSettled(load)
    }
    const { url } = await start([], { SANDBOX_WEBHOOK_URL: 'none' })
    const { body } = await controlCall(url, 'GET', '/transactions?limit=1000')
    const kept = (body['transactions'] as { transaction_uuid: string }[]).map(
      ({ transaction_uuid }) => transaction_uuid,
    )
    expect(new Set(kept).size).toBe(kept.length)
    expect(answered.filter((uuid) => !kept.includes(uuid))).toEqual([])
    expect(answered.length).toBeGreaterThan(3)
  })
})

/** Ids of the process, its shell, and the program that the shell started. */
function chainBelow(pid: number): readonly number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = new Map(listed.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
  const chain = [pid]
  for (let next: number | undefined = pid; next !== undefined;) {
    const parent: number = next
    next = [...parents].find(([, its]) => its === parent)?.[0]
    if (next !== undefined) chain.push(next)
  }
  return chain
}

describe('npm run sandbox', () => {
  test.each(['first', 'last'] as const)('SIGTERM to the %s of its processes ends all of them', async (which) => {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      SANDBOX_PORT: '0',
      SANDBOX_DATA: ':memory:',
      SANDBOX_KEYS: join(folder(), 'keys'),
      SANDBOX_WEBHOOK_URL: 'none',
    } as NodeJS.ProcessEnv
    const npm = spawn('npm', ['run', '--silent', 'sandbox'], {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    // Each process holds the pipe, so the pipe closes when all processes have ended.
    const npmState = { closed: false }
    npm.once('close', () => (npmState.closed = true))
    try {
      await expect.poll(() => said).toContain('listening on')
      const chain = chainBelow(npm.pid!)
      expect(chain.length).toBeGreaterThan(1)
      process.kill((which === 'first' ? chain[0] : chain.at(-1))!, 'SIGTERM')
      await expect.poll(() => npmState.closed).toBe(true)
      expect(said).toContain('sandbox: stopping')
    } finally {
      if (!npmState.closed) process.kill(-npm.pid!, 'SIGKILL')
    }
  })
})

describe('settings', () => {
  test('the settings are printed, and both loopback addresses answer', async () => {
    const { url, said, child } = await start(['--base-path', '/gw', '--approval-above', 'off'], {
      SANDBOX_MERCHANT_ID: 'm1',
    })
    expect(said()).toContain('m1')
    expect(said()).toContain('approval_above=null')
    expect(url).toMatch(/\/gw$/)
    for (const host of ['localhost', '127.0.0.1']) {
      expect((await fetch(`http://${host}:${new URL(url).port}/control/state`)).status).toBe(200)
    }
    expect((await signedCall(url, 'GET', '/v1/merchant/currencies')).status).toBe(200)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(0)
  })

  test('missing keys are created once, and the settings of the cashier are printed', async () => {
    const { said } = await start([], { SANDBOX_MERCHANT_PUBLIC_KEY: '' })
    const lines = [
      'GATEWAY_BASE_URL=',
      'GATEWAY_API_KEY=',
      'GATEWAY_MERCHANT_REFERENCE=',
      'GATEWAY_PRIVATE_KEY=file:',
      'GATEWAY_PUBLIC_KEY=file:',
      'ONRAMP_ORIGINS=http://localhost:',
    ]
    expect(lines.filter((line) => !said().includes(line))).toEqual([])
  })

  test('with a given merchant key, all settings of the cashier except its private key are printed', async () => {
    const { said, url } = await start()
    const lines = [
      `GATEWAY_BASE_URL=${url}`,
      `GATEWAY_API_KEY=${API_KEY}`,
      'GATEWAY_MERCHANT_REFERENCE=demo-merchant',
      'GATEWAY_PUBLIC_KEY=file:',
    ]
    expect(lines.filter((line) => !said().includes(line))).toEqual([])
    expect(said()).not.toContain('GATEWAY_PRIVATE_KEY=')
  })

  test('with a given gateway key, its public key is printed in one line', async () => {
    const { privateKey, publicKey } = makeKeyPair()
    const { said } = await start([], { SANDBOX_GATEWAY_PRIVATE_KEY: privateKey })
    expect(readPem(/GATEWAY_PUBLIC_KEY=(\S+)/.exec(said())?.[1] ?? '')).toBe(publicKey)
  })

  test('with several merchants, the settings of each are printed', async () => {
    const merchants = ['one', 'two'].map((id) => ({ id, api_key: `key-${id}`, public_key: testMerchant.public_key }))
    const { said } = await start([], { SANDBOX_MERCHANTS: JSON.stringify(merchants) })
    for (const id of ['one', 'two'])
      expect(said()).toMatch(
        new RegExp(`for the cashier of ${id}:\n.*\n +GATEWAY_API_KEY=key-${id}\n +GATEWAY_MERCHANT_REFERENCE=${id}\n`),
      )
  })

  test('all faults are listed together, with exit code 1', async () => {
    const { code, said } = await ended([], {
      SANDBOX_PORT: 'high',
      SANDBOX_PAGE_SIZE: '0',
      SANDBOX_CURRENCIES_FORM: 'list',
    })
    expect(code).toBe(1)
    for (const name of ['SANDBOX_PORT', 'SANDBOX_PAGE_SIZE', 'SANDBOX_CURRENCIES_FORM']) expect(said).toContain(name)
  })

  test('an invalid key is reported with its variable', async () => {
    const { code, said } = await ended([], {
      SANDBOX_MERCHANT_PUBLIC_KEY: 'file:/nowhere.pem',
      SANDBOX_GATEWAY_PRIVATE_KEY: 'abc',
    })
    expect(code).toBe(1)
    expect(said).toContain('SANDBOX_MERCHANT_PUBLIC_KEY')
    expect(said).toContain('SANDBOX_GATEWAY_PRIVATE_KEY')
  })

  test('it starts in production only if that is allowed', async () => {
    const { code, said } = await ended([], { NODE_ENV: 'production' })
    expect(code).toBe(1)
    expect(said).toContain('SANDBOX_ALLOW_PRODUCTION')
    await expect(start([], { NODE_ENV: 'production', SANDBOX_ALLOW_PRODUCTION: 'true' })).resolves.toHaveProperty('url')
  })

  test('a taken port is reported', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, said } = await ended(['--port', String(port)])
    taken.close()
    expect(code).toBe(1)
    expect(said).toContain(`port ${port} on 127.0.0.1 is taken`)
  })

  test('several merchants have separate data', async () => {
    const merchants = ['one', 'two'].map((id) => ({
      id,
      api_key: id === 'one' ? API_KEY : 'other',
      public_key: testMerchant.public_key,
    }))
    const { url } = await start([], { SANDBOX_MERCHANTS: JSON.stringify(merchants) })
    await controlCall(url, 'POST', '/deposits', { ...USDT_ON_TRON, amount: '1', merchant_id: 'two' })
    const list = await signedCall(url, 'POST', '/v1/user/transactions', { user_reference_id: 'user_1' })
    expect(list.body['total_count']).toBe(0)
  })

  test('--help lists every flag, and an unknown flag is refused', async () => {
    const { code, said } = await ended(['--help'])
    expect(code).toBe(0)
    for (const flag of ['--port', '--webhook-url', '--merchants', '--clock-offset-ms']) expect(said).toContain(flag)
    expect((await ended(['--nothing'])).code).toBe(1)
  })

  test('an unknown command is refused with the commands that there are', async () => {
    const { code, said } = await ended(['triger'])
    expect(code).toBe(1)
    for (const name of COMMAND_NAMES) expect(said).toContain(name)
  })

  test.each(COMMAND_NAMES)('%s has its help, in the list too, and refuses an unknown option', async (name) => {
    const help = await ended([name, '--help'])
    expect(help.code).toBe(0)
    expect(help.said).toMatch(new RegExp(`^${name} [^]*--help`))
    expect((await ended(['--help'])).said).toContain(`\n  ${name} `)
    const refused = await ended([name, '--no-such-option'])
    expect(refused.code).toBe(1)
    expect(refused.said).toContain('--no-such-option')
  })
})
