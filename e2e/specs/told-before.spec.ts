/** What is said before a press, and while one waits: limits, fee, usual times, values, and what to check. */
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

test.use({
  viewport: { width: 390, height: 844 },
  stackOptions: {
    cashier: {
      WITHDRAWAL_LIMITS: JSON.stringify({ 'USDT@Tron': { min: '10', max: '500', fee: '1.5' } }),
      DEPOSIT_MINIMUMS: JSON.stringify({ 'USDT@TRC20': '5' }),
    },
  },
})

test('the least deposit is said above the address from the first answer on, also under another name of the network', async ({
  embedded,
  openCashier,
  stack,
}) => {
  await openCashier({ flows: ['deposit'], currency_ids: [await currencyOf(stack, 'USDT', 'Tron')] })
  await expect(embedded.getByTestId('deposit-minimum')).toHaveText('Send at least 5 USDT. Less may not be credited.')
})

test('a folded panel below the address says what to check, by keyboard too', async ({
  page,
  embedded,
  openCashier,
}) => {
  const { session_id } = await openCashier({ flows: ['deposit'] })
  const cashier = new Cashier(embedded)
  await cashier.pick('USDT', 'Tron')
  const panel = embedded.getByTestId('deposit-help')
  await expect(panel).not.toContainText('Check in your wallet')
  await panel.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('Check in your wallet that it was sent on Tron')
  await expect(panel).toContainText('On a busy network it may take some hours.')
  await expect(panel.getByTestId('help-address')).toHaveText(await embedded.getByTestId('address').innerText())
  await expect(panel.getByTestId('reference')).toContainText(session_id)
  await expect(panel.getByTestId('support')).toBeVisible()
})

test('limits, fee and value of a withdrawal: in the form, when one is broken, and in the review', async ({
  stack,
  openWithdrawForm,
}) => {
  const currency = await currencyOf(stack, 'USDT', 'Tron')
  await stack.cashier.api.tellRates({ [currency]: '1.25' })
  const cashier = await openWithdrawForm('900')
  const amount = cashier.root.getByLabel('Amount')
  await amount.click()
  const notes = cashier.root.getByTestId('amount-notes')
  await expect(notes).toContainText('From 10 to 500 USDT. Fee: 1.5 USDT.')
  await amount.fill('2')
  await expect(notes).toContainText('The minimum is 10 USDT. Less is probably not accepted.')
  await expect(notes).toContainText('About 2.50 USD, rate of ')
  await expect(amount).toHaveAccessibleDescription(/The minimum is 10\sUSDT/)
  await amount.fill('600')
  await expect(notes).toContainText('The maximum is 500 USDT.')

  await cashier.withdraw.fill('42', TRON_ADDRESS)
  await cashier.withdraw.review()
  const review = cashier.root.getByTestId('withdraw-review')
  await expect(review.getByTestId('review-fee')).toContainText('You get')
  await expect(review.getByTestId('review-fee')).toContainText('40.5 USDT')
  await expect(review.getByTestId('approximate-value')).toContainText('About 52.50 USD, rate of ')
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')

  const panel = cashier.root.getByTestId('payout-help')
  await panel.getByText('Sent, but not in your wallet?').click()
  await expect(panel).toContainText('Check that the wallet in which you look uses Tron')
  await expect(panel.getByTestId('reference')).toBeVisible()
})

test('an amount that the fee takes whole is no surprise', async ({ openWithdrawForm }) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.fill('1.5', TRON_ADDRESS)
  await expect(cashier.root.getByTestId('amount-notes')).toContainText('Fee: 1.5 USDT.')
  await cashier.withdraw.review()
  await expect(cashier.withdraw.alert()).toContainText('The fee is 1.5 USDT: nothing would arrive.')
})

test('the value of an ordinary balance is whole beside it on a phone, and moves nothing', async ({
  page,
  stack,
  openWithdrawForm,
}) => {
  await stack.cashier.api.tellRates({ [await currencyOf(stack, 'USDT', 'Tron')]: '0.9998' })
  const told = Promise.withResolvers<null>()
  await page.route('**/api/cashier/expectations', async (route) => {
    await told.promise
    await route.continue()
  })
  const cashier = await openWithdrawForm('1250.5')
  await expect(cashier.balance).toContainText('1,250.5 USDT')
  const value = cashier.balance.getByTestId('approximate-value')
  await expect(value).toHaveCount(0)
  const before = await cashier.balance.boundingBox()
  told.resolve(null)
  await expect(value).toHaveText(/^≈ 1,250.25 USD\d/)
  expect(await cashier.balance.boundingBox()).toEqual(before)
  const [inner, outer] = [await value.boundingBox(), before]
  expect(inner?.y).toBeGreaterThan(outer?.y ?? Infinity)
  expect((inner?.y ?? Infinity) + (inner?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0) + 1)
})

test('the gateway’s values are in deposits, history and details', async ({ embedded, stack, user, openUsdt }) => {
  const cashier = await openUsdt({ flows: ['deposit', 'history'] })
  await fund(stack, user, '42')
  await expect(embedded.getByTestId('deposit').getByTestId('value')).toHaveText(' · 42.00 USD')
  await cashier.goTo('History')
  await expect(cashier.history.rows().first().getByTestId('value')).toHaveText(' · 42.00 USD')
  await cashier.history.rows().first().click()
  await expect(embedded.getByTestId('details')).toContainText('42.00 USD')
})

test('a withdrawal of which less was sent shows both amounts', async ({ page, openWithdrawForm }) => {
  await page.route('**/api/cashier/transactions?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { edges: { node: Record<string, unknown> }[] }
    for (const { node } of list.edges)
      if (node['withdrawal_id'] !== undefined) Object.assign(node, { asked_amount: '42', paid_amount: '41.5' })
    await route.fulfill({ response, json: list })
  })
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('42', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('You asked for')
  await expect(cashier.withdraw.outcome()).toContainText('41.5 USDT')
  await cashier.done()
  await cashier.goTo('History')
  await cashier.history.rows().first().click()
  await expect(cashier.root.getByTestId('details')).toContainText('Was sent')
  await expect(cashier.root.getByTestId('details')).toContainText('41.5 USDT')
  await cashier.root.getByRole('button', { name: 'Receipt' }).click()
  await expect(cashier.root.getByTestId('receipt')).toContainText(/Was sent41\.5\u00a0USDT/)
})

test('while one waits: the usual time, and after nine of ten are through, that this one takes longer', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  test.slow()
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const detect = () => stack.sandbox.control.detectDeposit({ user_reference: user, currency_id, amount: '7' })
  const session = { flows: ['deposit'], currency_ids: [currency_id] } as const
  const { session_id } = await openCashier(session)
  for (let at = 0; at < 20; at += 1) {
    const uuid = await detect()
    // A deposit that the cashier sees only at its end is not measured.
    await expect(embedded.getByTestId('deposit')).toHaveCount(at + 1)
    await stack.sandbox.control.confirmDeposit(uuid)
  }
  const isMeasured = () =>
    frameOf(page).evaluate(async (session) => {
      const response = await fetch('/api/cashier/expectations', { headers: { 'x-cashier-session': session } })
      return (await response.text()).includes('nine_of_ten_s')
    }, session_id)
  await expect.poll(isMeasured, { timeout: 90_000, intervals: [3000] }).toBe(true)

  await page.clock.install()
  await openCashier(session)
  await detect()
  const waiting = embedded.getByTestId('deposit').filter({ hasText: 'Confirming' })
  await expect(waiting.getByTestId('usual-time')).toHaveText('Usually within seconds.')
  await page.clock.fastForward('00:45')
  await expect(waiting.getByTestId('longer')).toContainText('This one takes longer than usual.')
  await expect(waiting.getByTestId('reference')).toBeVisible()
})
