/** Tests the client against a real sandbox: every control call, and the types of requests and answers. */
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { depositSchema } from '../../../sandbox/control/deposits.ts'
import type { faultSchema } from '../../../sandbox/control/faults.ts'
import type { clockSchema } from '../../../sandbox/control/modes.ts'
import type { detailsSchema, purchaseSchema } from '../../../sandbox/control/onramp-sessions.ts'
import type { seedSchema } from '../../../sandbox/control/transactions.ts'
import type { sendSchema } from '../../../sandbox/control/webhooks.ts'
import type { payoutSchema } from '../../../sandbox/control/withdrawals.ts'
import type { FAULT_KINDS, FaultTarget } from '../../../sandbox/faults/fault-kinds.ts'
import type { OperationName } from '../../../sandbox/operations/operation-names.ts'
import type { presentTransaction } from '../../../sandbox/operations/present-transaction.ts'
import type { Call } from '../../../sandbox/state/calls.ts'
import type { merchantChangesSchema } from '../../../sandbox/state/merchants.ts'
import type { modeChangesSchema, Modes } from '../../../sandbox/state/modes.ts'
import type { OnrampSession } from '../../../sandbox/state/sessions.ts'
import type { Webhook, WebhookAttempt as Attempt } from '../../../sandbox/state/webhooks.ts'
import {
  testMerchant,
  testReceiver,
  testSandbox,
  TRON_WALLET,
  type TestReceiver,
  type TestSandbox,
} from '../../../sandbox/testing/test-sandbox.ts'
import { SandboxRefusal, type Method } from './sandbox-call.ts'
import { SandboxControl } from './sandbox-control.ts'
import type * as settings from './sandbox-settings.ts'
import type * as wire from './sandbox-types.ts'

// The compiler checks these types. The package repeats the sandbox's types because users install it without the
// sandbox.
type Plain<T> = { readonly [K in keyof T]: T[K] }
type Shown = ReturnType<typeof presentTransaction>
expectTypeOf<Shown>().toExtend<wire.SandboxTransaction>()
expectTypeOf<keyof Shown>().toEqualTypeOf<keyof wire.SandboxTransaction>()
expectTypeOf<Plain<Modes>>().toExtend<settings.SandboxModes>()
expectTypeOf<keyof Modes>().toEqualTypeOf<keyof settings.SandboxModes>()
expectTypeOf<Plain<Call>>().toEqualTypeOf<Plain<wire.GatewayCall>>()
expectTypeOf<Plain<Webhook>>().toEqualTypeOf<Plain<wire.SandboxWebhook>>()
expectTypeOf<Plain<Attempt>>().toEqualTypeOf<Plain<wire.WebhookAttempt>>()
type Row = Omit<OnrampSession, 'seq' | 'link_token' | 'metadata_json'>
type Session = Omit<wire.SandboxOnrampSession, 'currency' | 'network' | 'metadata' | 'link'>
expectTypeOf<Plain<Row>>().toEqualTypeOf<Plain<Session>>()
expectTypeOf<OperationName>().toEqualTypeOf<wire.GatewayOperation>()
type Kinds = { readonly [Target in FaultTarget]: (typeof FAULT_KINDS)[Target][number] }
expectTypeOf<Kinds>().toEqualTypeOf<Plain<settings.FaultKinds>>()

// Request bodies: the sandbox accepts every field of a method, and a method has every field that the sandbox reads.
type Body<Schema extends z.ZodType> = z.input<Schema>
/** The fields of all members of a union. */
type Fields<T> = T extends unknown ? keyof T : never
expectTypeOf<wire.TransactionSeed>().toExtend<Body<typeof seedSchema>>()
expectTypeOf<Fields<wire.TransactionSeed>>().toEqualTypeOf<Fields<Body<typeof seedSchema>>>()
expectTypeOf<wire.DepositRequest>().toExtend<Body<typeof depositSchema>>()
expectTypeOf<Fields<wire.DepositRequest>>().toEqualTypeOf<Fields<Body<typeof depositSchema>>>()
expectTypeOf<wire.PayoutRequest>().toExtend<Body<typeof payoutSchema>>()
expectTypeOf<Fields<wire.PayoutRequest>>().toEqualTypeOf<Fields<Body<typeof payoutSchema>>>()
expectTypeOf<wire.PurchaseRequest>().toExtend<Body<typeof purchaseSchema>>()
expectTypeOf<Fields<wire.PurchaseRequest>>().toEqualTypeOf<Fields<Body<typeof purchaseSchema>>>()
expectTypeOf<wire.OnrampDetails>().toExtend<Body<typeof detailsSchema>>()
expectTypeOf<Fields<wire.OnrampDetails>>().toEqualTypeOf<Fields<Body<typeof detailsSchema>>>()
expectTypeOf<wire.WebhookToSend>().toExtend<Body<typeof sendSchema>>()
expectTypeOf<Fields<wire.WebhookToSend>>().toEqualTypeOf<Fields<Body<typeof sendSchema>>>()
expectTypeOf<Fields<settings.FaultRequest>>().toEqualTypeOf<Fields<Body<typeof faultSchema>>>()
type Match = NonNullable<Body<typeof faultSchema>['match']>
expectTypeOf<Fields<NonNullable<settings.WebhookFault['match']>>>().toEqualTypeOf<Fields<Match>>()
expectTypeOf<settings.MerchantChanges>().toExtend<Body<typeof merchantChangesSchema>>()
expectTypeOf<Fields<settings.MerchantChanges>>().toEqualTypeOf<Fields<Body<typeof merchantChangesSchema>>>()
type ClockMove = Parameters<SandboxControl['moveClock']>[0]
expectTypeOf<ClockMove>().toExtend<Body<typeof clockSchema>>()
expectTypeOf<Fields<ClockMove>>().toEqualTypeOf<Fields<Body<typeof clockSchema>>>()
expectTypeOf<Fields<Partial<settings.SandboxModes>>>().toEqualTypeOf<Fields<Body<typeof modeChangesSchema>>>()

const used = new Set<string>()

/** Records the called routes. */
class NotingControl extends SandboxControl {
  override call(method: Method, path: string, body?: object): Promise<unknown> {
    used.add(`${method} ${path.replace(/\?.*/, '')}`)
    return super.call(method, path, body)
  }
}

let receiver: TestReceiver
let sandbox: TestSandbox
let control: SandboxControl

beforeAll(async () => {
  receiver = await testReceiver()
  sandbox = await testSandbox({ merchants: [{ ...testMerchant, webhook_url: receiver.url }] })
  control = new NotingControl(sandbox.origin)
})
afterAll(async () => {
  await sandbox.close()
  receiver.close()
})

const coin = { currency: 'USDT', network: 'Tron' } as const
const user = { user_reference: 'ada' } as const

async function payout(): Promise<wire.SandboxWithdrawal> {
  const currency = (await control.currencies()).find((one) => one.code === 'USDT' && one.network === 'Tron')
  const order = { currency_id: currency?.id, amount: '5', wallet_address: TRON_WALLET, user_reference_id: 'ada' }
  expect((await sandbox.call('POST', '/v1/user/withdraw', order)).status).toBe(200)
  const [newest] = await control.withdrawals({ ...user, limit: 1 })
  if (!newest) throw new Error('the gateway has no payout')
  return newest
}

async function purchase(reference: string): Promise<void> {
  const currency_id = (await control.currencies())[0]?.id
  const asked = { payment_type: 'ON_RAMP', country: 'DE', currency_id, amount: '100', fiat_currency: 'EUR' }
  const more = { redirect_url: 'https://merchant.example/', user_reference_id: 'ada', session_reference: reference }
  expect((await sandbox.call('POST', '/v1/user/payments', { ...asked, ...more })).status).toBe(200)
}

test('every control call has a method that the sandbox understands', async () => {
  const uuid = await control.detectDeposit({ ...user, ...coin, amount: '20.000000000000000001' })
  expect(await control.confirmDeposit(uuid, '19')).toMatchObject({ transaction_uuid: uuid, amount: '19' })
  const other = await control.detectDeposit({ ...user, ...coin, amount: '1' })
  expect(await control.failDeposit(other, 'dropped')).toMatchObject({ failure_reason: 'dropped' })
  expect(await control.transactions({ ...user, type: 'Deposit', status: 'TXN_FAILED' })).toHaveLength(1)
  const at = '2026-11-01T23:59:59.999Z'
  expect(await control.seedTransactions({ ...user, count: 3, type: 'Deposit', at, every_ms: 1000 })).toBe(3)
  expect((await control.transactions(user)).map(({ inserted_at }) => inserted_at)).toContain(at)
  expect(await control.seedTransactions({ user_reference: 'bea', ...coin, count: 2 })).toBe(2)
  const seeded = await control.transactions({ user_reference: 'bea' })
  expect(seeded.map(({ currency: { code, network } }) => ({ currency: code, network }))).toEqual([coin, coin])

  await control.changeModes({ approval_above: '4' })
  expect((await control.modes()).approval_above).toBe('4')
  const waiting = await payout()
  expect([waiting.requires_approval, waiting.amount]).toEqual([true, '5'])
  await control.approveWithdrawal(waiting.transaction_uuid)
  expect((await control.completeWithdrawal(waiting.transaction_uuid)).status).toBe('TXN_PROVIDER_SUCCEEDED')
  expect((await control.failWithdrawal((await payout()).transaction_uuid)).status).toBe('TXN_FAILED')
  expect((await control.calls({ operation: 'withdraw', ...user })).map(({ committed }) => committed)).toEqual([
    true,
    true,
  ])
  await control.clearCalls()
  expect(await control.calls()).toEqual([])

  for (const status of ['pending', 'processing', 'succeeded', 'failed'] as const) {
    await purchase(status)
    expect((await control.advanceOnramp(status, status)).status).toBe(status)
  }
  expect((await control.onrampSession('succeeded')).to_amount).toMatch(/^\d+\.\d+$/)
  expect(await control.onrampSessions(user)).toHaveLength(4)

  const made = await control.createWithdrawal({ user_reference: 'cleo', ...coin, amount: '3', requires_approval: true })
  expect([made.status, made.user_ref_id]).toEqual(['TXN_AWAITING_APPROVAL', 'cleo'])
  const bought = await control.createOnrampSession({ user_reference: 'cleo', ...coin, amount: '80' })
  expect([bought.status, bought.fiat_currency]).toEqual(['created', 'EUR'])

  const fault = await control.fault({ target: 'withdraw', kind: 'refuse', times: 2, match: user })
  await control.fault({ target: 'webhooks', kind: 'drop', match: { event: 'User Payout' } })
  expect(await control.faults()).toMatchObject([{ id: fault.id, remaining: 2 }, { kind: 'drop' }])
  await control.clearFaults(fault.id)
  await control.clearFaults()
  expect(await control.faults()).toEqual([])

  const [webhook] = await control.webhooks({ transaction_uuid: uuid, limit: 1 })
  expect((await control.redeliver(webhook?.id ?? 0)).state).toBe('queued')
  expect(await control.flushWebhooks()).toBeGreaterThanOrEqual(0)
  expect(await control.sendWebhook({ raw: '{}', url: receiver.url })).toMatchObject({ status: 200, error: null })

  expect((await control.moveClock({ offset_ms: 60_000 })).clock_offset_ms).toBe(60_000)
  expect((await control.changeMerchant(testMerchant.id, { webhook_url: null })).webhook_url).toBeNull()
  expect((await control.magicValues()).amounts['0702']?.kind).toBe('refuse')
  expect((await control.state()).counts['transactions']).toBe(11)
  expect(Array.isArray(await control.addresses(user))).toBe(true)
  await control.restart(0)
  await expect.poll(() => control.modes().catch(() => null)).toMatchObject({ approval_above: '4' })
  await control.reset()
  expect(await control.transactions()).toEqual([])

  const { routes } = (await control.call('GET', '/routes')) as { routes: { method: string; path: string }[] }
  const called = [...used]
  const missed = routes
    .map(({ method, path }) => `${method} ${path.replace('/control', '')}`)
    // The data of the control page is no interface for tests.
    .filter((route) => route !== 'GET /overview')
    .filter((route) => !called.some((one) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(one)))
  expect(missed).toEqual([])
  expect(routes.length).toBeGreaterThan(25)
})

test('a fault that its target cannot have is refused with the kinds that it can have', async () => {
  // @ts-expect-error The types refuse it too.
  const refused = control.fault({ target: 'currencies', kind: 'needs_approval' })
  const message = expect.stringMatching(/^must be one that currencies can have: delay, .*refuse$/) as string
  await expect(refused).rejects.toMatchObject({ status: 422, errors: { kind: [message] } })
})

test('a refusal has the status, and what is wrong by field', async () => {
  const refused = await control.detectDeposit({ ...user, ...coin, amount: '-1' }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SandboxRefusal)
  expect(refused).toMatchObject({ status: 422, errors: { amount: [expect.any(String)] } })
  await expect(control.confirmDeposit('nobody')).rejects.toMatchObject({ status: 404, errors: {} })
})
