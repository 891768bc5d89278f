/** The provider's page: identity, payment, and the ways back from it. */
import { currencyOf } from '../fixtures/money.ts'
import { purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { SandboxWidget } from '../../packages/testing/src/sandbox-widget.ts'
import { frameOf, goBack, reloadFrame } from '../views/scrolled-host.ts'
import { pressUntil } from '../views/scrolled-host.ts'

let cashier: Cashier
let widget: SandboxWidget
test.beforeEach(async ({ embedded, stack, openCashier }) => {
  await openCashier({ flows: ['buy', 'history'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  cashier = new Cashier(embedded)
  widget = new SandboxWidget(cashier.buy.provider())
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toContainText('Waiting for payment')
})

test(
  'paid in the frame with a picture by the camera, back inside the frame, and delivered later',
  { tag: '@whole-browser' },
  async ({ embedded, context, stack, user, consoleFaults }) => {
    await context.grantPermissions(['camera'])
    await widget.identify('picture')
    await widget.press('Pay €150.00')
    await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
    // After the payment, the provider's page is folded.
    await expect(widget.heading('Payment received')).toBeHidden()
    await embedded.getByRole('button', { name: 'The payment provider’s page' }).click()
    await expect(widget.heading('Payment received')).toBeVisible()
    await widget.press('Return to the merchant')
    await expect(embedded.locator('iframe')).toHaveCount(0)
    await expect(cashier.buy.purchase()).toContainText('Your payment was accepted.')
    // Chromium warns about our return page in the provider's sandboxed frame. The page is ours and may leave the
    // sandbox.
    expect(consoleFaults.splice(0).filter((one) => !one.includes('can escape its sandboxing'))).toEqual([])

    const reference = await purchaseOfUser(stack, user)
    await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/succeeded`, { to_amount: '162.5' })
    await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
    await expect(cashier.buy.purchase()).toContainText('162.5')
    await cashier.leavePurchase()
    await expect(cashier.balance).toContainText('162.5')

    await cashier.goTo('History')
    await cashier.history.rows().click()
    await expect(cashier.history.details()).toContainText('Credit or debit card')
    await expect(cashier.history.details()).toContainText('150.00 EUR')
    await expect(cashier.history.details().getByRole('link', { name: 'Continue this payment' })).toHaveCount(0)
  },
)

test('refused by the provider, to a user without a camera', async ({ embedded }) => {
  await widget.identify('none')
  await widget.press('Let the payment fail')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.buy.purchase()).toContainText('The payment did not go through.')
  await expect(embedded.getByTestId('support')).toBeVisible()
  await expect(embedded.locator('iframe')).toHaveCount(0)
  await embedded.getByRole('button', { name: 'Start a new payment' }).click()
  await expect(cashier.buy.form()).toBeVisible()
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toContainText('Failed')
})

test('paid in a tab of its own, and back at top level', async ({ page, embedded, stack }) => {
  // The provider's page takes the focus when it has loaded, which may move a link away that is just pressed.
  await expect(widget.heading('Buy Tether')).toBeVisible()
  const opening = page.waitForEvent('popup')
  await embedded.getByRole('link', { name: 'Open in a new tab' }).click()
  const tab = await opening
  const provider = new SandboxWidget(tab)
  await provider.identify('document')
  await provider.press('Pay, and deliver at once')
  await provider.press('Return to the merchant')
  await expect(tab.getByText('You can close this tab and return to the cashier.')).toBeVisible()
  expect(tab.url()).toBe(`${stack.cashier.url}/onramp/return`)
  await page.bringToFront()
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await expect(cashier.balance).not.toContainText(/Tron0 USDT/)
})

test('interrupted by a reload, another flow, and the provider’s own exit: each time there is a way back', async ({
  page,
  embedded,
  consoleFaults,
}) => {
  const frame = embedded.locator('iframe')
  const link = await frame.getAttribute('src')
  await reloadFrame(page)
  await expect(frame).toHaveAttribute('src', link ?? '')
  await expect(widget.heading('Buy Tether')).toBeVisible()

  await cashier.goTo('History')
  await cashier.history.rows().click()
  await cashier.history.details().getByRole('link', { name: 'Continue this payment' }).click()
  await expect(frame).toHaveAttribute('src', link ?? '')
  await widget.press('Leave without paying')
  await expect(frame).toHaveCount(0)
  await expect(cashier.buy.purchase()).toContainText('The provider has not confirmed a payment yet.')
  await cashier.leavePurchase()

  await goBack(page)
  await expect(frame).toHaveAttribute('src', link ?? '')
  await embedded.getByRole('button', { name: 'Leave this payment' }).click()
  await expect(cashier.buy.form()).toBeVisible()

  // An unknown purchase, such as a mistyped URL. The way back does not lead there again.
  await frameOf(page).goto(`${frameOf(page).url()}&purchase=${crypto.randomUUID()}`)
  await expect(cashier.buy.form()).toBeVisible()
  await goBack(page)
  await expect(cashier.buy.form()).toBeVisible()
  expect(frameOf(page).url()).not.toContain('purchase=')
  consoleFaults.length = 0
})

test('returning to the page does not reload the provider’s page', async ({ page, embedded, stack }) => {
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().startsWith(`${stack.cashier.url}/api/cashier/`))
      reads.push(new URL(request.url()).pathname)
  })
  const comeBack = () => frameOf(page).evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(async () => {
    // A read that is under way is not repeated, so one event may be too early.
    await comeBack()
    expect(reads).toContain('/api/cashier/transactions')
  }).toPass()
  expect(reads.filter((path) => path.includes('onramp-sessions'))).toEqual([])
  await expect(embedded.locator('iframe')).toBeVisible()
})

test('a late answer to a purchase does not take the user away from another flow', async ({
  page,
  embedded,
  stack,
  openCashier,
}) => {
  await openCashier({ flows: ['buy', 'history'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  await embedded.getByTestId('tab-buy').click()
  const historyIsOpen = Promise.withResolvers<undefined>()
  await page.route('**/api/cashier/onramp-sessions', async (route) => {
    await historyIsOpen.promise
    await route.continue()
  })
  await cashier.buy.fill('90', 'Germany')
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/cashier/onramp-sessions'))
  await cashier.buy.start()
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  historyIsOpen.resolve(undefined)
  await answered
  await expect(cashier.history.rows()).toHaveCount(2)
  expect(frameOf(page).url()).toContain('/history')
})

test('the page of a payment that has expired says so, and what to do', async ({
  page,
  embedded,
  stack,
  consoleFaults,
}) => {
  const leave = embedded.getByRole('button', { name: 'Leave this payment' })
  await pressUntil(cashier.buy.form(), () => leave.click({ timeout: 3000 }))
  await stack.sandbox.control.call('PATCH', '/modes', { onramp_expires_after_ms: 1_800_000 })
  await page.clock.install()
  await reloadFrame(page)
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(embedded.getByTestId('link-expires')).toContainText('You can use this payment page until')
  await page.clock.fastForward('31:00')
  await expect(cashier.buy.purchase()).toContainText('This payment page has expired.')
  await stack.sandbox.control.call('PATCH', '/modes', { onramp_expires_after_ms: 0 })
  await widget.identify('document')
  await widget.press('Pay €80.00')
  await expect(cashier.buy.provider().getByRole('alert')).toHaveText('This payment page has expired.')
  await embedded.getByRole('button', { name: 'Start a new payment' }).click()
  await expect(cashier.buy.form()).toBeVisible()
  await stack.sandbox.control.call('PATCH', '/modes', { onramp_expires_after_ms: null })
  consoleFaults.length = 0
})
