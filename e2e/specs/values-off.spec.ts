import { readFileSync } from 'node:fs'
import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test.use({ stackOptions: { cashier: { VALUES: 'off' } } })

test('with VALUES off nothing says what an amount is worth', async ({ page, embedded, stack, user, openCashier }) => {
  await openCashier()
  await fund(stack, user, '0.5', 'ETH', 'Ethereum')
  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toContainText('ETH')
  await expect(cashier.history.rows()).not.toContainText('USD')
  const saving = page.waitForEvent('download')
  await embedded.getByTestId('save-csv').click()
  const file = readFileSync(await (await saving).path(), 'utf8')
  expect(file).toContain('"0.5","ETH","Ethereum"')
  expect(file).not.toContain('USD')
  await cashier.history.rows().click()
  await expect(cashier.history.details()).toContainText('ETH')
  await expect(cashier.history.details()).not.toContainText('USD')
  await cashier.history.details().getByRole('button', { name: 'Receipt' }).click()
  const receipt = embedded.getByTestId('receipt')
  await expect(receipt).toContainText('ETH')
  await expect(receipt).not.toContainText(/USD|Value/)
})
