/**
 * Every request example of docs/openapi.json is sent to a running cashier and succeeds. Ids of the examples stand for
 * records that the test makes. `startSystem` validates each answer.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { MERCHANT_CALLS } from '#lib/server/merchant/openapi/merchant-calls.ts'
import {
  CURRENCY_EXAMPLE,
  CURSOR_EXAMPLE,
  PAYOUT_EXAMPLE,
  SESSION_EXAMPLE,
  USER_EXAMPLE,
  WITHDRAWAL_ID_EXAMPLE,
} from '#lib/server/merchant/openapi/examples.ts'
import { readDocument } from '../../scripts/openapi-validators.ts'
import { depositEvent } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { json, startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** The path parameter of the example that names an event in quarantine. */
const QUARANTINED_EXAMPLE = '17'
const REVIEWED = { 'USDT@Tron': { review_above: '10' } }

let merchant: MerchantDouble
let system: System
beforeAll(async () => {
  merchant = await startMerchantDouble(() => system.webhookSecret)
  merchant.respondWith(json({}))
  system = await startSystem({
    cashier: { MERCHANT_WEBHOOK_URL: merchant.url, WITHDRAWAL_RULES: JSON.stringify(REVIEWED) },
  })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
})

interface Example {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly success: readonly number[]
}

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** The requests of the document, in its order. */
function examples(): readonly Example[] {
  const { paths } = readDocument() as unknown as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Example => {
      const filled = (operation.parameters ?? []).reduce(
        (text, one) => (one.in === 'path' ? text.replace(`{${one.name}}`, one.example ?? '') : text),
        path,
      )
      return {
        id: operation.operationId,
        method: method.toUpperCase() as Example['method'],
        path: filled.replace('/api/merchant', ''),
        body: operation.requestBody?.content['application/json']?.example,
        success: Object.keys(operation.responses)
          .map(Number)
          .filter((status) => status < 300),
      }
    }),
  )
}

const read = async <T>(path: string): Promise<T> => (await (await system.merchant.call('GET', path)).json()) as T

/** A payout that nobody owns, and that the cashier has stored: a call may share a read of the list that began before. */
async function openPayout(amount: string): Promise<string> {
  await system.control.seedTransactions({ user_reference: USER_EXAMPLE, count: 1, type: 'Payout', amount })
  return vi.waitFor(async () => {
    await system.merchant.call('GET', `/transactions?user_reference_id=${USER_EXAMPLE}`)
    const { payouts } = await read<{ payouts: { transaction_uuid: string; amount: string }[] }>('/payouts')
    const found = payouts.find((one) => one.amount === amount)
    return found?.transaction_uuid ?? Promise.reject(new Error('the payout is not stored'))
  }, 20_000)
}

/** An event of the gateway that came too late. */
async function quarantinedEvent(): Promise<string> {
  const body = depositEvent({ uuid: crypto.randomUUID(), user: USER_EXAMPLE, amount: '1', status: 'succeeded' })
  const headers = webhookHeaders(system.gatewayKey, body, Math.floor(Date.now() / 1000) - 400)
  const response = await fetch(`${system.publicUrl}/api/webhooks/gateway`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const { items } = await read<{ items: { id: string }[] }>('/quarantine?reason=stale')
  return items[0]?.id ?? ''
}

test('every request example succeeds', async () => {
  const [usdt, eth] = [system.currency('USDT Tron'), system.currency('ETH Ethereum')]
  await system.merchant.adjust(USER_EXAMPLE, usdt, '500')
  await system.merchant.adjust(USER_EXAMPLE, eth, '10')
  const page = await system.page(USER_EXAMPLE)
  const reviewed = await page.withdraw({ currency_id: usdt, amount: '25', wallet_address: WALLET })
  expect(reviewed.body.status).toBe('pending_authorization')
  await system.control.fault({ target: 'withdraw', kind: 'cut_before_commit', match: { user_reference: USER_EXAMPLE } })
  const wallet_address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const uncertain = await page.withdraw({ currency_id: eth, amount: '1', wallet_address })
  expect(uncertain.body.status).toBe('unknown')
  const payout = await openPayout('7')
  const quarantined = await quarantinedEvent()
  const cursor = await vi.waitFor(async () => {
    const { events } = await read<{ events: { cursor: string }[] }>('/events')
    return events[0]?.cursor ?? Promise.reject(new Error('no event'))
  })

  /** What stands for an id of the examples, in the calls where it is not the same for all. */
  const ids = (id: string): readonly (readonly [string, string])[] => [
    [USER_EXAMPLE, USER_EXAMPLE],
    [CURRENCY_EXAMPLE, usdt],
    [CURSOR_EXAMPLE, cursor],
    [SESSION_EXAMPLE, page.session.session_id],
    [WITHDRAWAL_ID_EXAMPLE, id === 'resolveWithdrawal' ? uncertain.body.id : reviewed.body.id],
    [PAYOUT_EXAMPLE, payout],
    [`/quarantine/${QUARANTINED_EXAMPLE}/`, `/quarantine/${quarantined}/`],
  ]
  const withIds = (text: string, id: string): string =>
    ids(id).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

  const sent = examples()
  // A payout that a person has acknowledged belongs to no withdrawal any more, so that call is the last.
  const ordered = sent.toSorted((a, b) => Number(a.id === 'setPayoutOwner') - Number(b.id === 'setPayoutOwner'))
  const owned = await openPayout('8')
  for (const { id, method, path, body, success } of ordered) {
    const target = id === 'setPayoutOwner' ? path.replace(PAYOUT_EXAMPLE, owned) : withIds(path, id)
    const given = body === undefined ? undefined : (JSON.parse(withIds(JSON.stringify(body), id)) as unknown)
    const response = await system.merchant.call(method, target, given)
    const told = success.includes(response.status) ? '' : await response.text()
    expect([id, success.includes(response.status), told]).toEqual([id, true, ''])
  }
  expect(sent.map(({ id }) => id).toSorted()).toEqual(MERCHANT_CALLS.map(({ id }) => id).toSorted())
}, 120_000)
