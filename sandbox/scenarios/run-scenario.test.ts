import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TRON_WALLET, currencyId, eventually, testReceiver, testSandbox } from '../testing/test-sandbox.ts'
import type { TestReceiver, TestSandbox } from '../testing/test-sandbox.ts'
import { advance, after, endRun, nextStep, scenarioOf, startRun } from './run-scenario.ts'
import type { ControlCall, ScenarioRun } from './run-scenario.ts'
import { SCENARIOS } from './scenarios.ts'
import type { PersonStep } from './scenarios.ts'

const USER = 'ada'

let sandbox: TestSandbox
let receiver: TestReceiver

beforeAll(async () => {
  receiver = await testReceiver()
  sandbox = await testSandbox()
})
beforeEach(async () => {
  await sandbox.control('POST', '/reset')
  await sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: receiver.url })
  receiver.deliveries.length = 0
})
afterAll(async () => {
  await sandbox.close()
  receiver.close()
})

const control: ControlCall = async (method, path, body) => {
  const { status, body: answer } = await sandbox.control(method, path, body)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return answer
}

const withdraw = async () => {
  const request = { amount: '5', currency_id: await currencyId(sandbox, 'USDT', 'Tron'), wallet_address: TRON_WALLET }
  await sandbox.call('POST', '/v1/user/withdraw', { ...request, user_reference_id: USER }).catch(() => undefined)
}

const buy = async () =>
  sandbox.call('POST', '/v1/user/payments', {
    payment_type: 'ON_RAMP',
    country: 'DE',
    currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
    amount: '150.00',
    fiat_currency: 'EUR',
    redirect_url: 'https://merchant.example/back',
    user_reference_id: USER,
  })

const readList = () => sandbox.call('POST', '/v1/user/transactions', { user_reference_id: USER })

/** Does the steps of the user or the tester. */
const DO: Readonly<Record<PersonStep, (run: ScenarioRun) => Promise<ScenarioRun>>> = {
  withdraw: (run) => withdraw().then(() => run),
  buy: (run) => buy().then(() => run),
  press: (run) => Promise.resolve(after(run)),
}

const named = (name: string): ScenarioRun => startRun(scenarioOf({ scenario: name }), USER, 'run')

/** The run after its next step, or the same run while it still waits. */
async function reach(run: ScenarioRun): Promise<ScenarioRun> {
  let latest = run
  await eventually(async () => (latest = await advance(latest, control)).done).toBeGreaterThan(run.done)
  return latest
}

/** Plays the whole scenario. The cashier reads the user's list in between. */
async function play(start: ScenarioRun): Promise<ScenarioRun> {
  let run = start
  for (let step = nextStep(run); step; step = nextStep(run)) {
    if (step.kind === 'call') run = await advance(run, control)
    else if (step.kind === 'changed') run = await reach(run)
    else {
      const waiting = await advance(run, control)
      expect(waiting).toMatchObject({ done: run.done, seen: expect.any(String) as string })
      if (step.kind === 'listed') await readList().then(readList)
      run = step.kind === 'person' ? await DO[step.step](waiting) : waiting
      if (run.done === waiting.done) run = await reach(run)
    }
  }
  return run
}

const transactions = async () =>
  (await sandbox.control('GET', `/transactions?user_reference=${USER}`)).body['transactions']

test.each(SCENARIOS.map(({ name }) => name))('%s is reached, and undone', async (name) => {
  const run = await play(named(name))
  expect(nextStep(run)).toBeNull()
  await endRun(run, control)
  const usual = { clock_offset_ms: 0, failure_webhooks: false, onramp_expires_after_ms: null, widget_link: 'usual' }
  expect((await sandbox.control('GET', '/modes')).body).toMatchObject(usual)
  const { faults } = (await control('GET', '/faults')) as { faults: { remaining: number | null }[] }
  expect(faults.filter(({ remaining }) => remaining !== 0)).toEqual([])
})

test('a withdrawal that was cut is paid only after the cashier has read the list twice', async () => {
  let run = await advance(named('withdrawal uncertain, later paid'), control)
  run = await advance(run, control)
  expect((await advance(run, control)).done).toBe(1)
  await withdraw()
  run = await advance(await reach(run), control)
  expect(await transactions()).toMatchObject([{ status: 'TXN_NEW', transaction_uuid: run.uuid }])
  await readList()
  expect((await advance(run, control)).done).toBe(2)
  await readList()
  run = await advance(await reach(run), control)
  expect([nextStep(run), await transactions()]).toMatchObject([null, [{ status: 'TXN_PROVIDER_SUCCEEDED' }]])
})

test('an older withdrawal or purchase does not count', async () => {
  await withdraw()
  await buy()
  for (const name of ['payout failed', 'failed purchase']) {
    const waiting = await advance(named(name), control)
    expect((await advance(waiting, control)).done).toBe(0)
  }
})

test('a changed event is signed again, and sent after the other events', async () => {
  await play(named('two webhooks disagree'))
  const uuidOf = (text: string): string | undefined => /"transaction_uuid":"([^"]+)"/.exec(text)?.[1]
  const sent = receiver.deliveries.map(({ raw }) => raw.toString('utf8'))
  // On a slow machine an event is sent again before its answer is there, and those of the test before come late.
  const texts = new Set(sent.filter((text) => uuidOf(text) === uuidOf(sent.at(-1) ?? '')))
  expect([...texts].map((text) => /"amount":\d/.exec(text)?.[0])).toEqual(['"amount":1', '"amount":1', '"amount":2'])
  const signatures = new Set(receiver.deliveries.map(({ headers }) => headers['x-signature']))
  expect(signatures.size).toBeGreaterThanOrEqual(texts.size)
})

test('a stranger is a new, unknown user', async () => {
  const run = await play(named('unknown user'))
  expect(run.user).toBe('stranger-run')
  await eventually(() => receiver.deliveries.some(({ raw }) => raw.toString('utf8').includes(run.user))).toBe(true)
  expect(await transactions()).toEqual([])
})

test('an unusual user name stays one text in the call', async () => {
  const run = { ...named('lost webhook'), user: 'a"b' }
  await expect(advance(run, control).then(() => control('GET', '/faults'))).resolves.toMatchObject({
    faults: [{ match_json: { user_reference: 'a"b', status: 'succeeded' } }],
  })
})

test('a run survives as JSON', async () => {
  const run = await advance(named('payout failed'), control)
  await withdraw()
  const read = JSON.parse(JSON.stringify(run)) as ScenarioRun
  expect((await reach(read)).done).toBe(1)
})
