/** A change that follows while the previous change still loads continues from it, and keeps it. */
import type { FrameLocator, Page } from 'playwright/test'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

/** Delays the code and the data that the page requests from now on. */
const slowAnswers = (page: Page, ms = 500): Promise<unknown> =>
  page.route(/\/_next\/static\/|\/api\/cashier\/(?!events)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await route.continue().catch(() => undefined)
  })

async function choose(cashier: FrameLocator): Promise<void> {
  await cashier.getByRole('button', { name: /^Currency: / }).click()
  await cashier.getByRole('combobox').fill('USDT')
  await cashier.getByRole('option', { name: /USDT.*Tron/s }).click()
}

test('another flow right after a currency was chosen', async ({ page, embedded, stack, openCashier }) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.deposit.address()
  const usdt = await currencyOf(stack, 'USDT', 'Tron')
  await slowAnswers(page)
  await choose(embedded)
  await embedded.getByTestId('tab-withdraw').click()
  await frameOf(page).waitForURL(new RegExp(`/withdraw\\?currency=${usdt}$`))
  await expect(cashier.balance).toContainText('USDT on Tron')
})

test('a type and a range of the history', async ({ page, embedded, openCashier }) => {
  await openCashier({ flows: ['history'] })
  await slowAnswers(page)
  await embedded.getByRole('link', { name: 'Deposits' }).click()
  await embedded.getByTestId('time-range').selectOption('this_month')
  await frameOf(page).waitForURL(/\?type=Deposit&range=this_month$/)
  await expect(embedded.getByRole('link', { name: 'Deposits' })).toHaveAttribute('aria-current', 'true')
})

test('a currency that is chosen while the address of another currency is being made', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await stack.sandbox.control.fault({
    target: 'deposit_address',
    kind: 'delay',
    times: 'always',
    // The server sends its answer without the address.
    settings: { delay_ms: 4000 },
    match: { user_reference: user },
  })
  const asked = page.waitForRequest(/deposit-addresses$/)
  const made = page.waitForResponse(/deposit-addresses$/)
  await openCashier()
  await asked
  await slowAnswers(page, 3000)
  await choose(embedded)
  await made
  await frameOf(page).waitForURL(new RegExp(`currency=${await currencyOf(stack, 'USDT', 'Tron')}$`))
  await expect(new Cashier(embedded).balance).toContainText('USDT on Tron')
})
