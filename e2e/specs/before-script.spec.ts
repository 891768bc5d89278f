/** On a slow phone the page is painted long before its scripts have run. What is pressed meanwhile is not lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test('tabs, the currency and the history’s filters work before any script', async ({
  page,
  stack,
  user,
  openOnTop,
  consoleFaults,
}) => {
  const session = await openOnTop()
  await fund(stack, user, '5')
  await expect(page.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')
  const held = await holdScripts(page)
  await page.goto(`${stack.cashier.url}/c/${session.session_id}/deposit`, { waitUntil: 'commit' })
  await new Cashier(page).pick('USDT', 'Tron')
  await page.getByTestId('tab-history').click()
  await expect(page).toHaveURL(/\/history\?currency=/)
  await page.getByRole('link', { name: 'Deposits' }).click()
  await expect(page).toHaveURL(/type=Deposit/)
  await page.getByTestId('time-range').selectOption('this_month')
  await expect(page).toHaveURL(/range=this_month/)
  expect(new URL(page.url()).searchParams.get('type')).toBe('Deposit')
  await expect(page.getByTestId('transaction')).toHaveCount(1)
  expect(held.count()).toBeGreaterThan(0)
  consoleFaults.length = 0
})

test('older and newer transactions are links before any script', async ({
  page,
  stack,
  user,
  openOnTop,
  consoleFaults,
}) => {
  const session = await openOnTop({ flows: ['history'] })
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 45 })
  const held = await holdScripts(page)
  await page.goto(`${stack.cashier.url}/c/${session.session_id}/history`, { waitUntil: 'commit' })
  const rows = page.getByTestId('transaction')
  const newer = page.getByTestId('newer')
  const older = page.getByTestId('older')
  await expect(older).toBeVisible()
  const shown = await rows.allInnerTexts()
  await expect(newer).toHaveCount(0)

  await older.click()
  await expect(page).toHaveURL(/after=/)
  await expect(newer).toBeVisible()
  const next = await rows.allInnerTexts()
  expect(next).not.toEqual(shown)
  await older.click()
  await expect(older).toHaveCount(0)
  await expect(newer).toBeVisible()
  expect((await rows.allInnerTexts()).length + next.length + shown.length).toBe(45)

  await newer.click()
  await expect(page).toHaveURL(/before=/)
  await expect(older).toBeVisible()
  expect(await rows.allInnerTexts()).toEqual(next)
  await newer.click()
  await expect(newer).toHaveCount(0)
  await expect(rows).toHaveCount(shown.length)
  expect(await rows.allInnerTexts()).toEqual(shown)
  expect(held.count()).toBeGreaterThan(0)
  consoleFaults.length = 0
})

test('a withdrawal typed and reviewed before the scripts is kept and reviewed', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  const session = await openOnTop()
  await fund(stack, user, '5')
  await expect(page.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')
  const currency = await currencyOf(stack, 'USDT', 'Tron')
  const held = await holdScripts(page)
  await page.goto(`${stack.cashier.url}/c/${session.session_id}/withdraw?currency=${currency}`, {
    waitUntil: 'commit',
  })
  const form = page.getByTestId('withdraw-form')
  await page.getByLabel('Amount').fill('3')
  await page.getByLabel('To address').fill(TRON_ADDRESS)
  const review = form.getByRole('button', { name: 'Review' })
  await review.click()
  await expect(review).toHaveAttribute('aria-busy', 'true')
  expect(held.count()).toBeGreaterThan(0)
  held.release()
  await expect(page.getByTestId('withdraw-review')).toContainText('3')
  await expect(page.getByTestId('withdraw-review')).toContainText('USDT')
})

/** A slow phone, and one that slept meanwhile: by then the browser no longer counts the press as the user's. */
const WAITS = [
  { name: 'at once', wait: () => Promise.resolve() },
  { name: 'after five seconds', wait: () => sleep(5000) },
  {
    name: 'after an hour',
    wait: (page: Page) =>
      page.evaluate(() => {
        const now = Date.now
        Date.now = () => now() + 3_600_000
      }),
  },
]
for (const { name, wait } of WAITS)
  test(`a press before the scripts is made once they have run: ${name}`, async ({
    page,
    context,
    stack,
    openOnTop,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const session = await openOnTop()
    const address = (await page.getByTestId('address').innerText()).replaceAll(/\s/g, '')
    const held = await holdScripts(page)
    await page.goto(`${stack.cashier.url}/c/${session.session_id}/deposit`, { waitUntil: 'commit' })
    const copy = page.getByTestId('copy-address')
    await copy.click()
    await wait(page)
    await expect(copy).toHaveAttribute('aria-busy', 'true')
    expect(held.count()).toBeGreaterThan(0)
    held.release()
    await expect(page.getByRole('button', { name: 'Address copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  })

test('what a purchase is paid in and where its coins go, chosen before the scripts, is kept', async ({
  page,
  stack,
  openOnTop,
}) => {
  const session = await openOnTop({ flows: ['buy'], own_wallet: true })
  const held = await holdScripts(page)
  await page.goto(`${stack.cashier.url}/c/${session.session_id}/buy`, { waitUntil: 'commit' })
  await page.getByLabel('Pay with').selectOption('JPY')
  await page.getByLabel('A wallet of your own').check()
  expect(held.count()).toBeGreaterThan(0)
  held.release()
  await expect(page.getByLabel('Address of your wallet')).toBeVisible()
  await expect(page.getByLabel('A wallet of your own')).toBeChecked()
  await expect(page.getByLabel('Pay with')).toHaveValue('JPY')
})
