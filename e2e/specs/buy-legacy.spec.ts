/** A purchase by the gateway's older operation: no event names it, and its coins arrive as a deposit. */
import { currencyOf } from '../fixtures/money.ts'
import { EVERY_QUESTION } from '../fixtures/shared-options.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { SandboxWidget } from '../../packages/testing/src/sandbox-widget.ts'
import { reloadFrame } from '../views/scrolled-host.ts'

test.use({ stackOptions: EVERY_QUESTION })

test('if the gateway has no payment sessions, the page says that a deposit follows, and it arrives', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await stack.sandbox.control.fault({
    target: 'payments',
    kind: 'refuse',
    settings: { status: 501 },
    match: { user_reference: user },
  })
  await openCashier({ flows: ['buy', 'history'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  const cashier = new Cashier(embedded)
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  const message = 'The provider does not report this payment to this page.'
  await expect(cashier.buy.purchase()).toContainText(message)
  await reloadFrame(page)
  await expect(cashier.buy.purchase()).toContainText(message)
  await expect(cashier.buy.purchase()).not.toContainText('Waiting for payment')

  const widget = new SandboxWidget(cashier.buy.provider())
  await widget.identify('document')
  await cashier.buy.provider().getByLabel('Amount in US dollars').fill('40')
  await widget.press('Pay, and deliver at once')
  await expect(widget.heading('Payment received')).toBeVisible()
  await expect(cashier.balance).not.toContainText(/Tron0 USDT/)
  await embedded.getByRole('button', { name: 'Leave this payment' }).click()
  await expect(cashier.buy.form()).toBeVisible()
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('Deposit')
})

test('if the older operation fails too, the form says so, and the next press continues', async ({
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  const match = { user_reference: user }
  await stack.sandbox.control.fault({
    target: 'payments',
    kind: 'refuse',
    settings: { status: 501 },
    times: 'always',
    match,
  })
  await stack.sandbox.control.fault({ target: 'onramp_url', kind: 'error_before_commit', times: 1, match })
  await openCashier({ flows: ['buy'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  const cashier = new Cashier(embedded)
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(embedded.getByRole('alert').filter({ hasText: 'The payment service is not responding' })).toBeVisible()
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toContainText('The provider does not report this payment to this page.')
  consoleFaults.length = 0
})
