import { once } from 'node:events'
import { verify } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { USDT_ON_TRON, controlCall, eventually, testReceiver } from '../testing/test-sandbox.ts'
import type { TestReceiver } from '../testing/test-sandbox.ts'
import { sandboxProcesses } from '../testing/sandbox-process.ts'
import type { RunningProcess } from '../testing/sandbox-process.ts'

const { start, run, ended } = sandboxProcesses()
let receiver: TestReceiver

beforeEach(async () => {
  receiver = await testReceiver()
})
afterEach(() => receiver.close())

const BEFORE = 'http://127.0.0.1:9/before'

const targetOf = async (url: string): Promise<string | null> => {
  const { merchants } = (await controlCall(url, 'GET', '/state')).body as {
    merchants: { webhook_url: string | null }[]
  }
  return merchants[0]?.webhook_url ?? null
}
const deposit = (url: string) =>
  controlCall(url, 'POST', '/deposits', { ...USDT_ON_TRON, amount: '7' }).then(
    ({ body }) => (body['transaction'] as { transaction_uuid: string }).transaction_uuid,
  )
async function listening(url: string, ...args: string[]): Promise<RunningProcess> {
  const running = run(['listen', '--sandbox', url, ...args])
  await eventually(running.said).toContain('Ctrl+C ends')
  return running
}
async function stopped({ child }: RunningProcess): Promise<number> {
  child.kill('SIGINT')
  return ((await once(child, 'close')) as [number])[0]
}

test('each webhook arrives with the signature of the gateway, is printed with its answer, and can be sent again', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: BEFORE, SANDBOX_WEBHOOK_RETRIES_MS: '[50]' })
  const listener = await listening(url, '--forward', receiver.url)
  receiver.statuses.push(500)
  const uuid = await deposit(url)
  await eventually(listener.said).toMatch(/User Deposit processing .* 200 in \d+ ms, delivery 2\n/)
  expect(listener.said()).toMatch(new RegExp(`User Deposit processing  ${uuid}  webhook 1  500 in \\d+ ms\n`))

  const { body } = await controlCall(url, 'GET', '/state')
  const [, second] = receiver.deliveries
  const signed = Buffer.concat([second!.raw, Buffer.from(second!.headers['x-timestamp']!)])
  const signature = Buffer.from(second!.headers['x-signature']!, 'base64')
  expect(verify('sha256', signed, String(body['gateway_public_key']), signature)).toBe(true)

  listener.child.stdin.write('r\n')
  await eventually(() => receiver.deliveries.length).toBe(3)
  await eventually(listener.said).toContain('delivery 3')
  expect(listener.said()).toContain('again: User Deposit processing')

  expect(await targetOf(url)).toBe(receiver.url)
  expect(await stopped(listener)).toBe(0)
  expect(await targetOf(url)).toBe(BEFORE)
  expect(listener.said()).toContain(`go to ${BEFORE} again`)
})

test('what a fault drops is said too, and what was sent before is not printed', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: receiver.url })
  const before = await deposit(url)
  await eventually(() => receiver.deliveries.length).toBe(1)
  await controlCall(url, 'POST', '/faults', { target: 'webhooks', kind: 'drop' })
  const listener = await listening(url)
  const dropped = await deposit(url)
  const sent = await deposit(url)
  await eventually(listener.said).toMatch(new RegExp(`${sent} .* 200 in`))
  expect(listener.said()).toMatch(new RegExp(`${dropped} .* dropped by a fault`))
  expect(listener.said()).not.toContain(before)
  await stopped(listener)
  expect(await targetOf(url)).toBe(receiver.url)
})

test('--replay-last sends the newest webhook again, to the new target', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: 'none' })
  const uuid = await deposit(url)
  const listener = await listening(url, '--forward', receiver.url, '--replay-last')
  await eventually(() => receiver.deliveries.map(({ event }) => event.transaction_uuid)).toEqual([uuid])
  await eventually(listener.said).toMatch(/ 200 in /)
})

test('a target that somebody changed meanwhile stays', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: BEFORE })
  const listener = await listening(url, '--forward', receiver.url)
  await controlCall(url, 'PATCH', '/merchants/demo-merchant', { webhook_url: 'http://127.0.0.1:9/later' })
  await stopped(listener)
  expect(await targetOf(url)).toBe('http://127.0.0.1:9/later')
})

test('it waits for a sandbox that restarts, and goes on', async () => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: BEFORE })
  const listener = await listening(url, '--forward', receiver.url)
  await controlCall(url, 'POST', '/restart', { down_ms: 600 })
  await eventually(listener.said).toContain('waiting for it')
  await eventually(listener.said).toContain('the sandbox is back')
  const uuid = await deposit(url)
  await eventually(listener.said).toMatch(new RegExp(`${uuid} .* 200 in`))
})

test.each([
  [['--forward', 'localhost:3000'], '--forward must be an http or https URL'],
  [['http://localhost:3000'], 'the target is --forward URL'],
  [['--merchant', 'nobody'], 'no merchant nobody: the sandbox has demo-merchant'],
])('%s is refused', async (args, expected) => {
  const { url } = await start([], { SANDBOX_WEBHOOK_URL: 'none' })
  const { code, said } = await ended(['listen', ...args, '--sandbox', url])
  expect([code, said]).toEqual([1, expect.stringContaining(expected)])
})
