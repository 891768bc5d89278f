import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test.use({ stackOptions: { cashier: { ONRAMP_ORIGINS: 'https://provider.example' } } })

test('a payment page whose origin is not in ONRAMP_ORIGINS is not opened, and the form stays', async ({
  openCashier,
  consoleFaults,
  embedded,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(cashier.buy.form().getByRole('alert')).toContainText('The payment page was not opened')
  await expect(cashier.buy.form().getByRole('alert')).toContainText('Nothing was paid.')
  await expect(embedded.getByTestId('support')).toBeVisible()
  await expect(embedded.getByTestId('reference')).toContainText('Reference to quote')
  await expect(embedded.locator('iframe')).toHaveCount(0)
  await expect(embedded.getByLabel('You pay')).toHaveValue('80')
  await cashier.goTo('History')
  await expect(embedded.getByTestId('empty')).toBeVisible()
  consoleFaults.length = 0
})
