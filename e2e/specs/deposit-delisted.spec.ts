import type { Locator, Page } from 'playwright/test'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

/** A separate stack, because the gateway's list is the same for all users. */
test.use({ stackOptions: { sandbox: {} } })

/** The page reads the list again when it is shown again; the cashier asks the gateway every ten seconds. */
const lookAgainUntil = (page: Page, seen: Locator): Promise<void> =>
  expect(async () => {
    await frameOf(page).evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(seen).toBeVisible({ timeout: 500 })
  }).toPass()

test('a currency that the gateway delists while its address is shown', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  const { control } = stack.sandbox
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.deposit.address()
  await control.call('PATCH', '/modes', { currency_list: 'one' })

  await lookAgainUntil(page, embedded.getByText('This currency is not available'))
  await expect(embedded.getByTestId('address')).toHaveCount(0)

  // A deposit that was sent before is still credited.
  await control.detectDeposit({ user_reference: user, currency_id, amount: '7', confirm: true })
  await expect(cashier.deposit.arrived()).toContainText('Credited')
  await expect(cashier.balance).toContainText('7 USDT')

  await cashier.pick('BTC', 'Bitcoin')
  expect(await cashier.deposit.address()).not.toBe(address)
  await cashier.goTo('Withdraw')
  await expect(embedded.getByRole('button', { name: /^Currency: BTC.*Bitcoin$/ })).toBeVisible()

  await control.call('PATCH', '/modes', { currency_list: 'usual' })
  await embedded.getByTestId('currency-button').click()
  await lookAgainUntil(page, embedded.getByRole('option', { name: /USDT.*Tron/s }).first())
})
