/** What comes late in the server's answer is taken over by the scripts after the stream is open. */
import type { Page } from 'playwright/test'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { currencyOf } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

/** The history before its scripts, with a list that came late in the server's answer. */
async function openLateHistory(
  page: Page,
  { stack, user, session }: { readonly stack: Stack; readonly user: string; readonly session: string },
) {
  await stack.sandbox.control.fault({
    target: 'user_transactions',
    kind: 'delay',
    times: 'always',
    settings: { delay_ms: 500 },
    match: { user_reference: user },
  })
  const list = await holdScripts(page, '"save-csv"')
  await frameOf(page).goto(`${stack.cashier.url}/c/${session}/history`, { waitUntil: 'commit' })
  await expect(cashierIn(page).getByTestId('transaction').first()).toBeVisible()
  await list.held
  await expect(cashierIn(page).getByTestId('connection')).toContainText('Live')
  return list
}

test('a late list shows a row that has changed meanwhile, and gets new rows', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const { control } = stack.sandbox
  const session = await openCashier()
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const uuid = await control.detectDeposit({ user_reference: user, currency_id, amount: '3' })
  await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Confirming')

  const list = await openLateHistory(page, { stack, user, session: session.session_id })
  const row = embedded.getByTestId('transaction')
  await expect(row).toContainText('Confirming')
  await control.confirmDeposit(uuid)
  await expect(embedded.getByTestId('announcements')).toContainText('Credited')
  await control.detectDeposit({ user_reference: user, currency_id, amount: '4' })
  await expect(embedded.getByTestId('announcements')).toContainText('4 USDT')
  await expect(row).toContainText('Confirming')

  list.release()
  await expect(row).toHaveCount(2)
  await expect(row.first()).toContainText('4 USDT')
  await expect(row.last()).toContainText('Credited')
  await row.last().click()
  await expect(embedded.getByTestId('details')).toBeVisible()
})

test('a row of a late list that is pressed before its script runs, opens when it has run', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const session = await openCashier()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
  const late = await openLateHistory(page, { stack, user, session: session.session_id })
  const row = embedded.getByTestId('transaction').first()
  await row.click()
  await expect(row).toHaveAttribute('aria-busy', 'true')
  late.release()
  await expect(embedded.getByTestId('details')).toBeVisible()
})

test('a range that is chosen in a late list before its script runs, is used for the next list', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const session = await openCashier()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
  const late = await openLateHistory(page, { stack, user, session: session.session_id })
  await embedded.getByTestId('time-range').selectOption('this_month')
  late.release()
  await frameOf(page).waitForURL(/range=this_month/)
  await expect(embedded.getByText('Days start at midnight UTC.')).toBeVisible()
})

test('a language that the merchant’s page sets meanwhile waits until a list that came late has its script', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const session = await openCashier()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
  const list = await openLateHistory(page, { stack, user, session: session.session_id })
  const row = embedded.getByTestId('transaction')
  const messages = page.waitForResponse('**/messages/de')
  await page.evaluate(() => window.mounts['cashier']?.update({ locale: 'de' }))
  await (await messages).finished()
  // Longer than a render takes.
  await page.waitForTimeout(500)
  await expect(row).toHaveCount(3)
  list.release()
  await expect(embedded.locator('html')).toHaveAttribute('lang', 'de')
  await expect(embedded.getByTestId('tab-history')).toHaveText('Verlauf')
  await expect(row).toHaveCount(3)
})
