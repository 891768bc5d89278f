import type { Locator, Page } from 'playwright/test'
import { currencyOf, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
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
  openUsdt,
}) => {
  const { control } = stack.sandbox
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const cashier = await openUsdt()
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

/** From now on the page reads that this id means another currency, which has this address. */
async function changeMeaning(page: Page, id: string, address: string): Promise<void> {
  const changed = { currency_code: 'USDC', network: 'Ethereum' }
  await page.route('**/api/cashier/deposit-addresses', (route) =>
    route.fulfill({ json: { address, currency: 'USDC', network: 'Ethereum' } }),
  )
  await page.route('**/api/cashier/currencies', async (route) => {
    const response = await route.fetch()
    const { currencies } = (await response.json()) as { currencies: { id: string }[] }
    await route.fulfill({
      json: { currencies: currencies.map((one) => (one.id === id ? { ...one, ...changed } : one)) },
    })
  })
}

test('an id that means another currency from now on: neither address nor review stay', async ({
  page,
  embedded,
  stack,
  openWithdrawForm,
}) => {
  const id = await currencyOf(stack, 'USDT', 'Tron')
  const cashier = await openWithdrawForm('10')
  await cashier.goTo('Deposit')
  const address = await cashier.deposit.address()
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('3 USDT')

  const other = '0x52908400098527886E0F7030069857D2E4169EE7'
  await changeMeaning(page, id, other)
  await lookAgainUntil(page, embedded.getByRole('button', { name: /^Currency: USDC.*Ethereum$/ }))
  await expect(cashier.withdraw.form()).toBeVisible()
  await expect(embedded.getByText('This address is for Tron. You chose Ethereum.')).toBeVisible()

  await cashier.goTo('Deposit')
  await expect(embedded.getByTestId('address')).not.toHaveText(address)
  expect(await cashier.deposit.address()).toBe(other)
})
