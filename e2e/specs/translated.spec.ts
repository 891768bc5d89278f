/** A page that the browser translates shows new money like other pages, and never breaks. */
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { looseTexts, translate } from '../fixtures/translator.ts'
import { Cashier } from '../views/cashier.ts'
import { pressUntil, ScrolledHost } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 700 } })

const gapless = (text: string): string => text.replace(/\s/g, '')

test('balance, address, network and states are current after a translation', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const scrolled = await ScrolledHost.open(page, stack, async () => (await createSession()).launch_token)
  const { cashier } = scrolled
  await expect(cashier.getByTestId('address')).toBeVisible()
  const before = gapless(await cashier.getByTestId('address').innerText())
  await translate(cashier)
  await expect(cashier.getByText('‹Deposit›').first()).toBeVisible()
  // Not translated, because a person compares them.
  expect(gapless(await cashier.getByTestId('address').innerText())).toBe(before)

  await cashier.getByTestId('copy-address').click()
  await cashier.getByTestId('currency-button').click()
  await cashier.getByTestId('currency-search').fill('USDT')
  await cashier.getByRole('option', { name: /USDT.*Tron/s }).click()
  await expect(cashier.getByTestId('currency-button')).toContainText('Tron')
  await expect(cashier.getByTestId('address')).toHaveText(/^T/)
  await expect(cashier.locator('.notice').filter({ hasText: 'Tron' })).toContainText('USDT')

  await fund(stack, user, '10')
  await expect(cashier.getByTestId('balance')).toContainText('10')
  await expect(cashier.getByTestId('live-deposits')).toContainText('Credited')
  await fund(stack, user, '5')
  await expect(cashier.getByTestId('balance')).toContainText('15')

  await cashier.getByTestId('tab-withdraw').click()
  const view = new Cashier(cashier)
  await cashier.locator('input[inputmode="decimal"]').fill('4')
  await cashier.locator('textarea').fill(TRON_ADDRESS)
  await cashier.getByTestId('withdraw-form').locator('button[type="submit"]').click()
  await expect(cashier.getByTestId('withdraw-review')).toContainText('Tron')
  await expect(cashier.getByTestId('withdraw-review')).toContainText('4')
  expect(await looseTexts(cashier)).toEqual([])
  const send = cashier.getByTestId('withdraw-review').locator('button').last()
  await pressUntil(view.withdraw.outcome(), () => scrolled.press(send, { timeout: 3000 }))

  await cashier.getByTestId('tab-history').click()
  await expect(cashier.getByTestId('transaction')).toHaveCount(3)
  await cashier.getByTestId('transaction').first().click()
  await expect(cashier.getByTestId('details')).toContainText('4')
  await expect(cashier.getByTestId('broken')).toHaveCount(0)
})

test('on every screen, a text that changes is alone in its element', async ({ page, stack, user, createSession }) => {
  const { cashier } = await ScrolledHost.open(page, stack, async () => (await createSession()).launch_token)
  const view = new Cashier(cashier)
  const expectNone = async (): Promise<void> => expect(await looseTexts(cashier)).toEqual([])
  await expect(cashier.getByTestId('address')).toBeVisible()
  await expectNone()
  await fund(stack, user, '10')
  await view.pick('USDT', 'Tron')
  await expect(cashier.getByTestId('live-deposits')).toBeVisible()
  await expectNone()
  await cashier.getByTestId('currency-button').click()
  await expect(cashier.getByRole('combobox')).toBeVisible()
  await expectNone()
  await page.keyboard.press('Escape')
  await view.goTo('Withdraw')
  await view.withdraw.fill('4', TRON_ADDRESS)
  await expectNone()
  await view.withdraw.review()
  await expectNone()
  await view.withdraw.send()
  await expect(view.withdraw.outcome()).toBeVisible()
  await expectNone()
  await view.goTo('Buy')
  await expect(cashier.getByTestId('buy-form')).toBeVisible()
  await expectNone()
  await view.buy.fill('50', 'DE')
  await view.buy.start()
  await expect(view.buy.purchase()).toBeVisible()
  await expectNone()
  await view.goTo('History')
  await expect(cashier.getByTestId('transaction').first()).toBeVisible()
  await expectNone()
  await cashier.getByTestId('transaction').first().click()
  await expect(cashier.getByTestId('details')).toBeVisible()
  await expectNone()
})
