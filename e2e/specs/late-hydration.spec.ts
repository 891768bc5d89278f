/**
 * React hydrates late parts of the server's answer after the event stream is open. The tests run at top level: in a
 * frame only the script renders the list, so there is nothing to hydrate.
 */
import type { Page } from 'playwright/test'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { currencyOf } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'

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
  await page.goto(`${stack.cashier.url}/c/${session}/history`, { waitUntil: 'commit' })
  await expect(page.getByTestId('transaction').first()).toBeVisible()
  await list.held
  await expect(page.getByTestId('connection')).toContainText('Live')
  return list
}

test('a late list shows a row that has changed meanwhile, and gets new rows', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  const { control } = stack.sandbox
  const session = await openOnTop()
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const uuid = await control.detectDeposit({ user_reference: user, currency_id, amount: '3' })
  await expect(page.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Confirming')

  const list = await openLateHistory(page, { stack, user, session: session.session_id })
  const row = page.getByTestId('transaction')
  await expect(row).toContainText('Confirming')
  await control.confirmDeposit(uuid)
  await expect(page.getByTestId('announcements')).toContainText('Credited')
  await control.detectDeposit({ user_reference: user, currency_id, amount: '4' })
  await expect(page.getByTestId('announcements')).toContainText('4 USDT')
  await expect(row).toContainText('Confirming')

  list.release()
  await expect(row).toHaveCount(2)
  await expect(row.first()).toContainText('4 USDT')
  await expect(row.last()).toContainText('Credited')
  await row.last().click()
  await expect(page.getByTestId('details')).toBeVisible()
})

test('a row of a late list that is pressed before its script runs, opens when it has run', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  const session = await openOnTop()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
  const late = await openLateHistory(page, { stack, user, session: session.session_id })
  const row = page.getByTestId('transaction').first()
  await row.click()
  await expect(row).toHaveAttribute('aria-busy', 'true')
  late.release()
  await expect(page.getByTestId('details')).toBeVisible()
})

test('a range that is chosen in a late list before its script runs, is used for the next list', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  const session = await openOnTop()
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
  const late = await openLateHistory(page, { stack, user, session: session.session_id })
  await page.getByTestId('time-range').selectOption('this_month')
  late.release()
  await expect(page).toHaveURL(/range=this_month/)
  await expect(page.getByText('Days start at midnight UTC.')).toBeVisible()
})
