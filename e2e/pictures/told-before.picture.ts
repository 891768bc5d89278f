/** What is said before a press and while one waits. */
import { currencyOf, TRON_ADDRESS, fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { pictures } from './picture-test.ts'

test.use({
  stackOptions: { cashier: { DEPOSIT_MINIMUMS: JSON.stringify({ 'USDT@Tron': '5' }), RATE_LIMIT: 'off' } },
})

pictures('told before', async ({ page, embedded, stack, user, locale, theme, openCashier, cashier, take }) => {
  const { control } = stack.sandbox
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  let time = { usual_s: 180, nine_of_ten_s: 420 }
  await page.route('**/api/cashier/expectations', (route) =>
    route.fulfill({
      json: {
        expectations: [
          {
            currency_id,
            currency_code: 'USDT',
            network: 'Tron',
            withdrawal: { min: '10', max: '5000', fee: '1.5', time },
            deposit: { time },
            rate: { usd: '0.9998', at: new Date().toISOString() },
          },
        ],
      },
    }),
  )
  await page.route('**/api/cashier/transactions?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { edges: { node: Record<string, unknown> }[] }
    for (const { node } of list.edges)
      if (node['withdrawal_id'] !== undefined) Object.assign(node, { asked_amount: '250', paid_amount: '248.5' })
    await route.fulfill({ response, json: list })
  })
  await openCashier({ locale, theme })
  await cashier.pick('USDT', 'Tron')
  await embedded.getByTestId('deposit-help').locator('summary').click()
  await expect(embedded.getByTestId('deposit-help').getByTestId('reference')).toBeVisible()
  await control.detectDeposit({ user_reference: user, currency_id, amount: '1250.5' })
  await expect(embedded.getByTestId('usual-time')).toBeVisible()
  await take('told-deposit')
  await fund(stack, user, '1250.5')
  // A narrow header has it and does not show it.
  await expect(embedded.getByTestId('approximate-value')).toBeAttached()
  await take('told-credited')

  await cashier.goTo('withdraw')
  await cashier.withdraw.fill('5', TRON_ADDRESS)
  await expect(embedded.getByTestId('amount-notes')).toBeVisible()
  await take('told-limits')
  await cashier.withdraw.fill('250', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('review-fee')).toBeVisible()
  await take('told-review')
  await cashier.withdraw.send()
  await embedded.getByTestId('payout-help').locator('summary').click()
  await take('told-waiting')

  time = { usual_s: 180, nine_of_ten_s: 1 }
  await openCashier({ locale, theme })
  await cashier.pick('USDT', 'Tron')
  await expect(embedded.getByTestId('longer').first()).toBeVisible()
  await take('told-longer')
  await embedded.getByTestId('currency-button').click()
  await expect(embedded.getByRole('option').first().getByTestId('approximate-value')).toBeVisible()
  await take('told-picker')
  await page.keyboard.press('Escape')
  await cashier.goTo('history')
  await take('told-history')
  await cashier.history.rows().first().click()
  await expect(embedded.getByTestId('details')).toBeVisible()
  await take('told-details')
})
