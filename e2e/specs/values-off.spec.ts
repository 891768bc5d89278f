/** `VALUES=off`: nothing says what an amount is worth. */
import { readFileSync } from 'node:fs'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test.use({ stackOptions: { cashier: { VALUES: 'off' } } })

test('no screen says what an amount is worth', async ({ page, embedded, stack, user, openCashier }) => {
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  await stack.cashier.api.tellRates({ [currency_id]: '1.25' })
  await openCashier()
  const cashier = new Cashier(embedded)
  const noValue = () => expect(embedded.locator('body')).not.toContainText(/\d\sUSD(?!T)/)
  await cashier.pick('USDT', 'Tron')
  await fund(stack, user, '42')
  await expect(embedded.getByTestId('deposit')).toContainText('42 USDT')
  await noValue()
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('2', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('2 USDT')
  await noValue()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('2 USDT')
  await noValue()
  await cashier.done()
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(2)
  const saving = page.waitForEvent('download')
  await embedded.getByTestId('save-csv').click()
  const file = readFileSync(await (await saving).path(), 'utf8')
  expect(file).toContain('"42","USDT","Tron"')
  expect(file).not.toMatch(/USD(?!T)/)
  await cashier.history.rows().last().click()
  await expect(cashier.history.details()).toContainText('42 USDT')
  await noValue()
  await cashier.history.details().getByRole('button', { name: 'Receipt' }).click()
  await expect(embedded.getByTestId('receipt')).toContainText('42 USDT')
  await noValue()
})
