/** What comes late in the server's answer is taken over by the scripts after the stream is open. */
import type { Page } from 'playwright/test'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'

/** Holds back the page's scripts that contain `text`, until `release` is called; `held` resolves once one of them was requested. */
async function holdScripts(page: Page, text: string): Promise<{ held: Promise<unknown>; release: () => void }> {
  const held = Promise.withResolvers<unknown>()
  const released = Promise.withResolvers<unknown>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(text)) {
      held.resolve(null)
      await released.promise
    }
    await route.fulfill({ response })
  })
  return { held: held.promise, release: () => released.resolve(null) }
}

test('a list that came late takes over a row that has changed meanwhile, and gets a new one', async ({
  page,
  stack,
  user,
  openCashier,
}) => {
  const { control } = stack.sandbox
  const session = await openCashier()
  const currency_id = await currencyOf(stack, 'USDT', 'Tron')
  const uuid = await control.detectDeposit({ user_reference: user, currency_id, amount: '3' })
  await expect(page.getByTestId('deposit')).toContainText('Confirming')

  await control.fault({
    target: 'user_transactions',
    kind: 'delay',
    settings: { delay_ms: 500 },
    match: { user_reference: user },
  })
  const list = await holdScripts(page, '"save-csv"')
  await page.goto(`${stack.cashier.url}/c/${session.session_id}/history`, { waitUntil: 'commit' })
  const row = page.getByTestId('transaction')
  await expect(row).toContainText('Confirming')
  await list.held
  await expect(page.getByTestId('connection')).toContainText('Live')
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
