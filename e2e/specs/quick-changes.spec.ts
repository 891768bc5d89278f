/** A change that comes while the one before is still being loaded goes on from it, and loses nothing of it. */
import type { Page } from 'playwright/test'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** The code and the data that the page asks for from now on take that long. */
const slowAnswers = (page: Page, ms = 500): Promise<unknown> =>
  page.route(/\/_next\/static\/|\/api\/cashier\/(?!events)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await route.continue().catch(() => undefined)
  })

async function choose(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Currency: / }).click()
  await page.getByRole('combobox').fill('USDT')
  await page.getByRole('option', { name: /USDT.*Tron/s }).click()
}

test('another flow right after a currency was chosen', async ({ page, stack, openOnTop }) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.deposit.address()
  const usdt = await currencyOf(stack, 'USDT', 'Tron')
  await slowAnswers(page)
  await choose(page)
  await page.getByTestId('tab-withdraw').click()
  await expect(page).toHaveURL(new RegExp(`/withdraw\\?currency=${usdt}$`))
  await expect(cashier.balance).toContainText('USDT on Tron')
})

test('a type and a range of the history', async ({ page, openOnTop }) => {
  await openOnTop({ flows: ['history'] })
  await slowAnswers(page)
  await page.getByRole('link', { name: 'Deposits' }).click()
  await page.getByTestId('time-range').selectOption('this_month')
  await expect(page).toHaveURL(/\?type=Deposit&range=this_month$/)
  await expect(page.getByRole('link', { name: 'Deposits' })).toHaveAttribute('aria-current', 'true')
})

test('a currency that is chosen while the address of another one is being made', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  await stack.sandbox.control.fault({
    target: 'deposit_address',
    kind: 'delay',
    times: 'always',
    // The server's answer leaves without it.
    settings: { delay_ms: 4000 },
    match: { user_reference: user },
  })
  const asked = page.waitForRequest(/deposit-addresses$/)
  const made = page.waitForResponse(/deposit-addresses$/)
  await openOnTop()
  await asked
  await slowAnswers(page, 3000)
  await choose(page)
  await made
  await expect(page).toHaveURL(new RegExp(`currency=${await currencyOf(stack, 'USDT', 'Tron')}$`))
  await expect(new Cashier(page).balance).toContainText('USDT on Tron')
})
