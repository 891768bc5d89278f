import { BITCOIN_ADDRESS, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test.use({ wish: { cashier: { WITHDRAWAL_ABSENCE_S: '2', GATEWAY_TIMEOUT_MS: '2000' } } })

test('from the form to the end, live, and the balance with it', async ({ page, stack, user, openCashier }) => {
  await openCashier()
  await fund(stack, user, '1250.5')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await expect(cashier.balance).toContainText('1,250.5')

  await cashier.withdraw.fill('250', TRON_ADDRESS)
  await expect(page.getByText('The address fits Tron.')).toBeVisible()
  await cashier.withdraw.review()
  await expect(page.getByRole('heading', { name: 'Check before you send' })).toBeFocused()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  await expect(cashier.reserved).toContainText('250 USDT reserved')

  const { withdrawals } = (await stack.sandbox.control.call('GET', `/withdrawals?user_reference=${user}`)) as {
    withdrawals: { transaction_uuid: string }[]
  }
  expect(withdrawals).toHaveLength(1)
  await stack.sandbox.control.call('POST', `/withdrawals/${withdrawals[0]?.transaction_uuid ?? ''}/complete`)
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.')
  await expect(cashier.balance).toContainText('1,000.5')
  await expect(cashier.reserved).toBeHidden()

  await page.reload()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'succeeded')
})

test('what is wrong is said where it is wrong', async ({ page, stack, user, openCashier }) => {
  await openCashier()
  await fund(stack, user, '10')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await expect(cashier.balance).toContainText('10')
  await cashier.withdraw.fill('11', BITCOIN_ADDRESS)
  await expect(page.getByText('This is a Bitcoin address. You chose Tron.')).toBeVisible()
  await expect(page.getByText('That is more than you have: 10 USDT are available.')).toBeVisible()
  await cashier.withdraw.fill('1,234', TRON_ADDRESS.replace('TJ', 'Tj'))
  await page
    .getByRole('button', { name: '1,234' })
    .or(page.getByRole('button', { name: '1.234' }))
    .first()
    .click()
  await cashier.withdraw.review()
  await expect(page.getByLabel('To address')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Check before you send')).toBeHidden()
})

test('one that needs an approval says so and waits', async ({ page, stack, user, openCashier }) => {
  await openCashier()
  await fund(stack, user, '10')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1.0701', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'awaiting_approval')
  await expect(cashier.withdraw.outcome()).toContainText('This withdrawal has to be approved before it is sent.')
})

test('a refused one gives the money back', async ({ page, stack, user, openCashier }) => {
  await openCashier()
  await fund(stack, user, '10')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1.0702', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Nothing was sent. Your 1.0702 USDT are available again.')
  await expect(cashier.balance).toContainText('10')
  await expect(page.getByTestId('support')).toBeVisible()
})

test('an uncertain one says so, is not sent again, and comes to rest by itself', async ({
  page,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  await fund(stack, user, '10')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  // Cut before the gateway took it: only its absence can tell.
  await cashier.withdraw.all('2.0704', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
  await expect(cashier.withdraw.outcome()).toContainText(
    'It will not be sent twice, and your 2.0704 USDT stay reserved.',
  )
  await expect(cashier.withdraw.outcome()).toContainText('Nothing was sent.', { timeout: 30_000 })

  // Cut after it did: the list names it.
  await page.getByRole('button', { name: 'Done' }).click()
  await cashier.withdraw.all('2.0705', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing', { timeout: 30_000 })

  const { calls } = (await stack.sandbox.control.call('GET', `/calls?operation=withdraw&user_reference=${user}`)) as {
    calls: unknown[]
  }
  expect(calls).toHaveLength(2)
})

test('a lost answer is asked for again under the same key', async ({
  page,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  await openCashier()
  await fund(stack, user, '10')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  let lost = 0
  await page.route('**/api/cashier/withdrawals', async (route) => {
    if (lost > 0) return route.continue()
    lost += 1
    await route.fetch()
    return route.abort()
  })
  await cashier.withdraw.send()
  await expect(page.getByTestId('withdraw-review').getByRole('alert')).toContainText(
    'the same request is never sent twice',
  )
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  const { calls } = (await stack.sandbox.control.call('GET', `/calls?operation=withdraw&user_reference=${user}`)) as {
    calls: unknown[]
  }
  expect(calls).toHaveLength(1)
  consoleFaults.length = 0
})
