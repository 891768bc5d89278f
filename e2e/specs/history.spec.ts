import { readFileSync } from 'node:fs'
import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf, goBack, reloadFrame } from '../views/scrolled-host.ts'

const DIGITS = '0.000000000000000001'

test('empty, filled, and filtered by the URL, so that the back button undoes a filter', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await expect(embedded.getByText('No transactions yet')).toBeVisible()
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('<0.00000001')

  await embedded.getByRole('link', { name: 'Withdrawals' }).click()
  await expect(embedded.getByText('No transactions match these filters.')).toBeVisible()
  await frameOf(page).waitForURL(/type=Payout/)
  await goBack(page)
  await expect(cashier.history.rows()).toHaveCount(1)

  await embedded.getByTestId('time-range').selectOption('this_month')
  await frameOf(page).waitForURL(/range=this_month/)
  await expect(embedded.getByText('Days start at midnight UTC.')).toBeVisible()
  await expect(cashier.history.rows()).toHaveCount(1)
})

test('details show all values in full; focus returns', async ({ page, embedded, stack, user, openCashier }) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await cashier.history.rows().click()
  await expect(cashier.history.details()).toContainText(DIGITS)
  await expect(cashier.history.details()).toContainText('Transaction hash')
  await page.keyboard.press('Escape')
  await expect(cashier.history.details()).toBeHidden()
  await expect(cashier.history.rows()).toBeFocused()
})

test('the list can be saved as CSV', async ({ page, embedded, stack, user, openCashier }) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  const saving = page.waitForEvent('download')
  await embedded.getByRole('button', { name: 'Save as CSV' }).click()
  expect(readFileSync(await (await saving).path(), 'utf8')).toContain(DIGITS)
})

test('many rows are paged in both directions', async ({ page, embedded, stack, user, openCashier }) => {
  await openCashier()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 45 })
  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(20)
  await embedded.getByRole('link', { name: 'Older' }).click()
  await frameOf(page).waitForURL(/after=/)
  await embedded.getByRole('link', { name: 'Older' }).click()
  await expect(cashier.history.rows()).toHaveCount(5)
  await embedded.getByRole('link', { name: 'Newer' }).click()
  await expect(cashier.history.rows()).toHaveCount(20)
})

test('without the gateway the last known list is shown, with a notice', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await stack.sandbox.control.fault({
    target: 'user_transactions',
    kind: 'garbage',
    times: 'always',
    match: { user_reference: user },
  })
  await reloadFrame(page)
  await expect(embedded.getByText('This is the last known state.')).toBeVisible()
  await expect(embedded.getByTestId('connection')).toHaveText(/^Last checked/)
  await expect(cashier.history.rows()).toHaveCount(1)
  await stack.sandbox.control.clearFaults()
})
