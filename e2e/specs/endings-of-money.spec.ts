/** In the merchant's page: how a purchase and a withdrawal end, and the animation while they are under way. */
import type { Locator } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({
  viewport: { width: 390, height: 844 },
  stackOptions: { cashier: { WITHDRAWAL_ABSENCE_S: '7200', GATEWAY_TIMEOUT_MS: '2000' } },
})

// One stack for all tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

const moves = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one.getAnimations().some(({ playState }) => playState === 'running'))

test('a paid purchase shows Done, and folds the provider’s page without loading it again', async ({
  page,
  stack,
  user,
  openUsdt,
}) => {
  const cashier = await openUsdt()
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'FR')
  await cashier.buy.start()
  const purchase = cashier.buy.purchase()
  await expect(purchase.getByRole('button', { name: 'Leave this payment' })).toBeVisible()
  const provider = purchase.locator('iframe')
  await expect(cashier.buy.provider().getByRole('button').first()).toBeVisible()
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })

  await stack.sandbox.control.advanceOnramp(await purchaseOfUser(stack, user), 'processing')
  await expect(purchase).toHaveAttribute('data-status', 'processing')
  await expect(provider).toBeHidden()
  await expect(purchase.getByRole('button', { name: 'Leave this payment' })).toHaveCount(0)
  await expect(purchase.getByRole('link', { name: 'Open in a new tab' })).toHaveCount(0)
  const fold = purchase.getByRole('button', { name: 'The payment provider’s page' })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await fold.click()
  await expect(provider).toBeVisible()
  await expect(cashier.buy.provider().getByRole('button').first()).toBeVisible()
  await fold.click()
  await expect(provider).toBeHidden()
  expect(loads).toBe(0)
  await cashier.done()
  await expect(cashier.buy.form()).toBeVisible()
})

test('the outcome of a withdrawal has the network, the time, the address to copy and a link to the history', async ({
  page,
  context,
  stack,
  user,
  openUsdt,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await fund(stack, user, '10')
  const cashier = await openUsdt()
  await expect(cashier.balance).toContainText('10')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1.5', TRON_ADDRESS)
  const outcome = cashier.withdraw.outcome()
  await expect(outcome).toHaveAttribute('data-status', 'processing')
  const field = (name: string): Locator =>
    outcome.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  await expect(field('Network')).toHaveText('Tron')
  const shown = await outcome
    .getByRole('listitem')
    .filter({ hasText: 'Requested' })
    .locator('time')
    .getAttribute('datetime')
  expect(Math.abs(Date.parse(shown ?? '') - Date.now())).toBeLessThan(60_000)
  await outcome.getByRole('button', { name: 'Copy: To' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(TRON_ADDRESS)
  expect(await moves(outcome.locator('[aria-current="step"] > .pulsing'))).toBe(true)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moves(outcome.locator('[aria-current="step"] > .pulsing'))).toBe(false)
  await outcome.getByRole('link', { name: 'History' }).click()
  await expect(cashier.history.rows().first()).toContainText('Withdrawal')
})

test('without a history there is no link to it', async ({ stack, user, openUsdt }) => {
  await fund(stack, user, '10')
  const cashier = await openUsdt({ flows: ['deposit', 'withdraw'] })
  await expect(cashier.balance).toContainText('10')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1.5', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toBeVisible()
  await expect(cashier.withdraw.outcome().getByRole('link')).toHaveCount(0)
})

test('while a withdrawal is sent there is an animation, and an unknown outcome says when it will be known', async ({
  page,
  stack,
  user,
  openUsdt,
}) => {
  await fund(stack, user, '10')
  const cashier = await openUsdt()
  await expect(cashier.balance).toContainText('10')
  await cashier.goTo('Withdraw')
  const answers = Promise.withResolvers<null>()
  await page.route('**/api/cashier/withdrawals', async (route) => {
    await answers.promise
    await route.continue()
  })
  // The connection is cut before the gateway records it.
  await cashier.withdraw.all('2.0704', TRON_ADDRESS)
  const button = cashier.root.getByRole('button', { name: 'Sending' })
  expect(await moves(button.locator('svg'))).toBe(true)
  answers.resolve(null)
  const outcome = cashier.withdraw.outcome()
  await expect(outcome).toHaveAttribute('data-status', 'unknown')
  const inTwoHours = new Date(Date.now() + 7_200_000).toLocaleDateString('en', { year: 'numeric' })
  await expect(outcome).toContainText(new RegExp(`We expect to know by .*${inTwoHours}.*\\.`))
  await expect(outcome.getByRole('button', { name: 'Try again with the same details' })).toHaveCount(0)
})
