import { readFileSync } from 'node:fs'
import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const DIGITS = '0.000000000000000001'

test('empty, filled, and filtered by the URL, which the back button undoes', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.goTo('History')
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('<0.00000001')

  await page.getByRole('link', { name: 'Withdrawals' }).click()
  await expect(page.getByText('No transactions match these filters.')).toBeVisible()
  await expect(page).toHaveURL(/type=Payout/)
  await page.goBack()
  await expect(cashier.history.rows()).toHaveCount(1)

  await page.getByTestId('time-range').selectOption('this_month')
  await expect(page).toHaveURL(/range=this_month/)
  await expect(page.getByText('Days are counted in UTC.')).toBeVisible()
  await expect(cashier.history.rows()).toHaveCount(1)
})

test('details show all values in full; focus returns', async ({ page, stack, user, openOnTop }) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await cashier.history.rows().click()
  await expect(cashier.history.details()).toContainText(DIGITS)
  await expect(cashier.history.details()).toContainText('Transaction hash')
  await page.keyboard.press('Escape')
  await expect(cashier.history.details()).toBeHidden()
  await expect(cashier.history.rows()).toBeFocused()
})

test('the visible rows can be saved as CSV', async ({ page, stack, user, openOnTop }) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  expect(readFileSync(await (await saving).path(), 'utf8')).toContain(DIGITS)
})

test('many rows are paged in both directions', async ({ page, stack, user, openOnTop }) => {
  await openOnTop()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 45 })
  const cashier = new Cashier(page)
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(20)
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(page).toHaveURL(/after=/)
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(cashier.history.rows()).toHaveCount(5)
  await page.getByRole('link', { name: 'Newer' }).click()
  await expect(cashier.history.rows()).toHaveCount(20)
})

test('without the gateway the last known list is shown, with a notice', async ({ page, stack, user, openOnTop }) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await fund(stack, user, DIGITS, 'ETH', 'Ethereum')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await stack.sandbox.control.fault({
    target: 'user_transactions',
    kind: 'garbage',
    times: 'always',
    match: { user_reference: user },
  })
  await page.reload()
  await expect(page.getByText('This is the last known state.')).toBeVisible()
  await expect(page.getByTestId('connection')).toHaveText(/^Last checked/)
  await expect(cashier.history.rows()).toHaveCount(1)
  await stack.sandbox.control.clearFaults()
})
