/** The deposit page while money arrives, while its currency is delisted, and while the gateway answers badly. */
import { z } from 'zod'
import { currencyOf } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { cashierIn, reloadFrame } from '../views/scrolled-host.ts'

test('deposits with a long confirmation, in a tab, after a reload and in a second tab', async ({
  page,
  context,
  stack,
  user,
  openCashier,
  openUsdt,
}) => {
  const { control } = stack.sandbox
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const cashier = await openUsdt({ flows: ['deposit', 'history'] })
  const address = await cashier.deposit.address()
  await expect(cashier.connection).toContainText('Live')
  const uuids: string[] = []
  for (const amount of ['1', '2', '4']) {
    uuids.push(await control.detectDeposit({ user_reference: user, currency_id, amount }))
  }
  await expect(cashier.deposit.arrived()).toHaveCount(3)

  for (const confirmations of [1, 2, 3, 5, 8]) {
    for (const uuid of uuids) await seeAgain(stack, uuid, confirmations)
  }
  const other = await context.newPage()
  await openCashier({ flows: ['deposit', 'history'] }, other)
  const second = new Cashier(cashierIn(other))
  await second.pick('USDT', 'Tron')
  await reloadFrame(page)
  for (const tab of [cashier, second]) {
    expect(await tab.deposit.address()).toBe(address)
    await expect(tab.deposit.arrived()).toContainText(['4 USDT', '2 USDT', '1 USDT'])
    await expect(tab.deposit.step()).toHaveText(['Confirming', 'Confirming', 'Confirming'])
    await expect(tab.balance).toContainText(/Tron0 USDT/)
    await expect(tab.connection).toContainText('Live')
  }

  // In another order, and the first with a different amount than detected.
  await control.confirmDeposit(uuids[2] ?? '')
  await control.call('POST', `/deposits/${uuids[0] ?? ''}/confirm`, { amount: '1.5' })
  for (const tab of [cashier, second]) {
    await expect(tab.deposit.arrived()).toContainText(['4 USDT', '2 USDT', '1.5 USDT'])
    await expect(tab.deposit.step()).toHaveText(['Credited', 'Confirming', 'Credited'])
    await expect(tab.balance).toContainText('5.5')
  }
  // A late event does not undo a credit.
  await seeAgain(stack, uuids[0] ?? '', 13)
  await control.call('POST', `/deposits/${uuids[1] ?? ''}/fail`, { reason: 'reorganised' })
  await reloadFrame(page)
  await expect(cashier.deposit.arrived()).toContainText(['Credited', 'Failed', 'Credited'])
  await expect(cashier.balance).toContainText('5.5')
})

const webhookLog = z.object({ webhooks: z.array(z.object({ id: z.number(), body: z.string() })) })

/** The gateway reports a further confirmation, later and with its own field; the cashier already knows the deposit. */
async function seeAgain({ sandbox: { control } }: Stack, uuid: string, confirmations: number): Promise<void> {
  const { webhooks } = webhookLog.parse(await control.call('GET', `/webhooks?transaction_uuid=${uuid}`))
  const first = webhooks.find(({ body }) => body.includes('"processing"'))?.body ?? ''
  const date = new Date(Date.now() + confirmations).toISOString()
  // As text, because an amount has more digits than a JavaScript number.
  const raw = first
    .replace('"transaction":{', `"transaction":{"confirmations":${confirmations},`)
    .replace(/"date":"[^"]*"/, `"date":"${date}"`)
  expect(raw).toContain(`"confirmations":${confirmations},`)
  expect(raw).toContain(date)
  const reply = await control.call('POST', '/webhooks/send', { raw })
  expect(reply).toMatchObject({ status: 200, body: '{"received":true,"duplicate":true}' })
}

test('the gateway refuses an address, loses an address, and sends one late', async ({
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  const fault = (kind: 'refuse' | 'cut_mid_reply' | 'delay', settings: object = {}): Promise<unknown> =>
    stack.sandbox.control.fault({ target: 'deposit_address', kind, settings, match: { user_reference: user } })
  await fault('refuse', { status: 400, message: 'no such wallet' })
  await openCashier()
  const cashier = new Cashier(embedded)
  await expect(embedded.getByText('This currency is not available')).toBeVisible()
  await expect(embedded.getByTestId('reference')).toBeVisible()
  await expect(embedded.getByText('no such wallet')).toHaveCount(0)

  // The gateway makes the address, but the answer is lost: the cashier asks again, and gets the same address.
  await fault('cut_mid_reply')
  await cashier.pick('USDT', 'Tron')
  await expect(embedded.getByText('The payment service is not responding')).toBeVisible()
  await embedded.getByRole('button', { name: 'Try again' }).click()
  const address = await cashier.deposit.address()

  // So late that the page is there before the address.
  await fault('delay', { delay_ms: 4000 })
  await cashier.pick('ETH', 'Ethereum')
  await expect(embedded.getByText('Getting your address')).toBeAttached()
  expect(await cashier.deposit.address()).not.toBe(address)
  await expect(cashier.deposit.qr().locator('svg')).toBeVisible()

  await cashier.pick('USDT', 'Tron')
  expect(await cashier.deposit.address()).toBe(address)
  consoleFaults.length = 0
})
