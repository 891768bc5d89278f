import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test('the form leads to the provider’s page', async ({ page, context, openCashier }) => {
  await context.grantPermissions(['camera'])
  await openCashier()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  const provider = cashier.buy.provider()
  await expect(provider.getByText('Germany')).toBeVisible()
  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute('allow', 'camera; microphone; payment; clipboard-write')
  expect((await frame.boundingBox())?.height).toBeGreaterThanOrEqual(650)
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', /^http/)
  await expect(cashier.buy.purchase()).toContainText('Waiting for payment')
})

test('each status of the gateway is shown, and the purchase is in the balance', async ({
  page,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  const { sessions } = (await stack.sandbox.control.call('GET', `/onramp-sessions?user_reference=${user}`)) as {
    sessions: { session_reference: string; user_reference_id?: string }[]
  }
  const reference = sessions[0]?.session_reference ?? ''
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/processing`)
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/succeeded`, { to_amount: '77.25' })
  await expect(cashier.buy.purchase()).toContainText('77.25')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await expect(cashier.balance).toContainText('77.25')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('Purchase')
})

test('the return page says nothing about the result', async ({ page, stack }) => {
  await page.goto(`${stack.cashier.url}/onramp/return`)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('has not confirmed your payment to us yet')).toBeVisible()
})

test('a country set by the merchant cannot be changed', async ({ page, openCashier }) => {
  await openCashier({ country: 'FR' })
  const cashier = new Cashier(page)
  await cashier.goTo('Buy')
  await expect(page.getByLabel('Country')).toHaveValue('FR')
  await expect(page.getByLabel('Country')).toBeDisabled()
})
