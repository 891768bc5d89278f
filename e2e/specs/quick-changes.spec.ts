/** A change that comes while the one before is still being loaded goes on from it, and loses nothing of it. */
import type { Page } from 'playwright/test'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** What the page asks of Next's router takes half a second. */
const slowRouter = (page: Page): Promise<unknown> =>
  page.route(/_rsc=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })

test('another flow right after a currency was chosen', async ({ page, stack, openCashier }) => {
  await openCashier()
  const cashier = new Cashier(page)
  await cashier.deposit.address()
  const usdt = await currencyOf(stack, 'USDT', 'Tron')
  await slowRouter(page)
  await page.getByRole('button', { name: /^Currency: / }).click()
  await page.getByRole('combobox').fill('USDT')
  await page.getByRole('option', { name: /USDT.*Tron/s }).click()
  await page.getByTestId('tab-withdraw').click()
  await expect(page).toHaveURL(new RegExp(`/withdraw\\?currency=${usdt}$`))
  await expect(cashier.balance).toContainText('USDT on Tron')
})

test('a type and a range of the history', async ({ page, openCashier }) => {
  await openCashier({ flows: ['history'] })
  await slowRouter(page)
  await page.getByRole('link', { name: 'Deposits' }).click()
  await page.getByTestId('time-range').selectOption('this_month')
  await expect(page).toHaveURL(/\?type=Deposit&range=this_month$/)
  await expect(page.getByRole('link', { name: 'Deposits' })).toHaveAttribute('aria-current', 'true')
})
