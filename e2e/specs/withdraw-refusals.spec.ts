/** Withdrawals that the gateway refuses or fails, and a balance that changes before one is sent. */
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { payoutFailed, sandboxPayoutsOf, withdrawCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

let cashier: Cashier
test.beforeEach(async ({ embedded, stack, user, openCashier }) => {
  await openCashier({ flows: ['withdraw', 'history'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  await fund(stack, user, '100')
  cashier = new Cashier(embedded)
  await expect(cashier.balance).toContainText('100')
})

test('accepted and failed later: the money is in the balance again', async ({ page, stack, user }) => {
  await cashier.withdraw.all('40.0708', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await expect(cashier.reserved).toContainText('40.0708 USDT reserved')
  const outcome = frameOf(page).url()
  // No event reports a failed payout; the gateway's list does, which the history reads.
  await expect.poll(() => payoutFailed(stack, user)).toBe(true)
  await cashier.goTo('History')
  await expect(cashier.history.rows().first()).toContainText('Failed')
  await expect(cashier.balance).toContainText('100')
  await expect(cashier.reserved).toBeHidden()
  await frameOf(page).goto(outcome)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome()).toContainText('Your 40.0708 USDT are available again.')
  await expect(cashier.withdraw.outcome()).toContainText('The payment service could not complete it.')
})

test('an amount below the gateway’s minimum has an error at its field, which keeps the typed text', async ({
  embedded,
  stack,
  user,
}) => {
  await cashier.withdraw.all('1.0713', TRON_ADDRESS)
  await expect(cashier.withdraw.form()).toContainText(
    'Nothing was sent: this amount was not accepted. It may be below the minimum or above the maximum.',
  )
  const amount = embedded.getByLabel('Amount')
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await expect(amount).toBeFocused()
  await expect(amount).toHaveValue('1.0713')
  await expect(embedded.getByLabel('To address')).toHaveValue(TRON_ADDRESS)
  await expect(cashier.balance).toContainText('100')

  await amount.fill('30')
  await expect(amount).toHaveAttribute('aria-invalid', 'false')
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  expect(await withdrawCalls(stack, user)).toBe(2)
  await cashier.goTo('History')
  await expect(cashier.history.rows().filter({ hasText: '1.0713' })).toContainText('Failed')
})

test('while the outcome of a withdrawal is unknown, an identical withdrawal is not sent', async ({
  stack,
  user,
  consoleFaults,
}) => {
  await cashier.withdraw.all('2.0704', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
  await cashier.done()
  await cashier.withdraw.fill('2.07040', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(cashier.withdraw.alert()).toContainText('less than two minutes ago')
  await cashier.withdraw.send()
  await cashier.withdraw.sendAgain().and(cashier.root.locator(':not([aria-disabled])')).click()
  await expect(
    cashier.withdraw.alert().filter({ hasText: 'We are still checking an earlier withdrawal' }),
  ).toContainText('we did not send this one')
  expect(await withdrawCalls(stack, user)).toBe(1)
  consoleFaults.length = 0
})

test('the balance changes while the review is open: by the merchant, and by another withdrawal', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  const usdt = await currencyOf(stack, 'USDT', 'Tron')
  await cashier.withdraw.fill('60', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByRole('button', { name: 'Send 60 USDT' })).toBeVisible()
  await stack.cashier.api.adjust(user, usdt, '-50')
  await cashier.withdraw.send()
  const amount = embedded.getByLabel('Amount')
  await expect(cashier.withdraw.form()).toContainText('You have only 50 USDT available.')
  await expect(amount).toBeFocused()
  await expect(amount).toHaveValue('60')
  await stack.cashier.api.adjust(user, usdt, '20')
  await expect(amount).toHaveAttribute('aria-invalid', 'false')

  await cashier.withdraw.review()
  const otherTab = await page.context().newPage()
  await openCashier({ flows: ['withdraw'], currency_ids: [usdt] }, otherTab)
  const other = new Cashier(cashierIn(otherTab))
  await other.withdraw.all('30', TRON_ADDRESS)
  await expect(other.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await page.bringToFront()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.form()).toContainText('You have only 40 USDT available.')
  await amount.fill('40')
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  expect(await sandboxPayoutsOf(stack, user)).toHaveLength(2)
  consoleFaults.length = 0
})

test('if the balance cannot be read after a refusal, the review says that nothing was sent', async ({
  page,
  embedded,
  consoleFaults,
}) => {
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await page.route('**/api/cashier/balances', (route) => route.fulfill({ status: 503 }))
  await page.route('**/api/cashier/withdrawals', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail: 'There is not enough money.',
        code: 'insufficient_balance',
        request_id: 'r',
      },
    }),
  )
  await cashier.withdraw.send()
  await expect(cashier.withdraw.alert()).toContainText('Nothing was sent')
  await expect(embedded.getByTestId('withdraw-review')).toBeVisible()
  consoleFaults.length = 0
})
