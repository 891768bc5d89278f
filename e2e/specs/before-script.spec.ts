/** A slow phone paints the page long before its scripts have run. Presses and inputs in this time are not lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { holdScripts, type HeldScripts } from '../fixtures/held-scripts.ts'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import type { SessionOptions } from '../fixtures/merchant-api.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { cashierIn, frameOf, ScrolledHost } from '../views/scrolled-host.ts'

/** The cashier in a merchant's page, before its scripts have arrived. */
async function openHeld(
  { page, stack, createSession }: Pick<TestFixtures, 'createSession'> & { page: Page; stack: Stack },
  options: Partial<SessionOptions> = {},
): Promise<HeldScripts> {
  const held = await holdScripts(page)
  await ScrolledHost.begin(page, stack, async () => (await createSession(options)).launch_token)
  await expect(cashierIn(page).getByRole('main')).toBeVisible()
  return held
}

test('tabs, the currency and the history’s filters work without scripts', async ({
  page,
  embedded,
  stack,
  user,
  createSession,
  consoleFaults,
}) => {
  await fund(stack, user, '5')
  const held = await openHeld({ page, stack, createSession })
  await new Cashier(embedded).pick('USDT', 'Tron')
  await embedded.getByTestId('tab-history').click()
  await expect.poll(() => frameOf(page).url()).toMatch(/\/history\?currency=/)
  await embedded.getByRole('link', { name: 'Deposits' }).click()
  await expect.poll(() => frameOf(page).url()).toMatch(/type=Deposit/)
  await embedded.getByTestId('time-range').selectOption('this_month')
  await expect.poll(() => frameOf(page).url()).toMatch(/range=this_month/)
  expect(new URL(frameOf(page).url()).searchParams.get('type')).toBe('Deposit')
  await expect(embedded.getByTestId('transaction')).toHaveCount(1)
  expect(held.count()).toBeGreaterThan(0)
  consoleFaults.length = 0
})

test('older and newer transactions are links that work without scripts', async ({
  page,
  embedded,
  stack,
  user,
  createSession,
  consoleFaults,
}) => {
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 45 })
  const held = await openHeld({ page, stack, createSession }, { flows: ['history'] })
  const rows = embedded.getByTestId('transaction')
  const newer = embedded.getByTestId('newer')
  const older = embedded.getByTestId('older')
  await expect(older).toBeVisible()
  const shown = await rows.allInnerTexts()
  await expect(newer).toHaveCount(0)

  await older.click()
  await expect.poll(() => frameOf(page).url()).toMatch(/after=/)
  await expect(newer).toBeVisible()
  const next = await rows.allInnerTexts()
  expect(next).not.toEqual(shown)
  await older.click()
  await expect(older).toHaveCount(0)
  await expect(newer).toBeVisible()
  expect((await rows.allInnerTexts()).length + next.length + shown.length).toBe(45)

  await newer.click()
  await expect.poll(() => frameOf(page).url()).toMatch(/before=/)
  await expect(older).toBeVisible()
  expect(await rows.allInnerTexts()).toEqual(next)
  await newer.click()
  await expect(newer).toHaveCount(0)
  await expect(rows).toHaveCount(shown.length)
  expect(await rows.allInnerTexts()).toEqual(shown)
  expect(held.count()).toBeGreaterThan(0)
  consoleFaults.length = 0
})

test('a withdrawal that is typed and submitted before the scripts run is kept and reviewed', async ({
  page,
  embedded,
  stack,
  user,
  createSession,
}) => {
  await fund(stack, user, '5')
  const usdt = await currencyOf(stack, 'USDT', 'Tron')
  const held = await openHeld({ page, stack, createSession }, { flows: ['withdraw'], currency_ids: [usdt] })
  const form = embedded.getByTestId('withdraw-form')
  await embedded.getByLabel('Amount').fill('3')
  await embedded.getByLabel('To address').fill(TRON_ADDRESS)
  const review = form.getByRole('button', { name: 'Review' })
  await review.click()
  await expect(review).toHaveAttribute('aria-busy', 'true')
  expect(held.count()).toBeGreaterThan(0)
  held.release()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('3')
  await expect(embedded.getByTestId('withdraw-review')).toContainText('USDT')
})

/**
 * The delay of a slow phone, and of a phone that slept: by then the browser no longer counts the press as the user's.
 */
const WAITS = [
  { name: 'at once', wait: () => Promise.resolve() },
  { name: 'after five seconds', wait: () => sleep(5000) },
  {
    name: 'after an hour',
    wait: (page: Page) =>
      frameOf(page).evaluate(() => {
        const now = Date.now
        Date.now = () => now() + 3_600_000
      }),
  },
]
for (const { name, wait } of WAITS)
  test(`a press before the scripts takes effect when they have run: ${name}`, async ({
    page,
    stack,
    createSession,
  }) => {
    const held = await openHeld({ page, stack, createSession })
    const cashier = cashierIn(page)
    const save = cashier.getByRole('button', { name: 'Save' })
    await save.click()
    await wait(page)
    await expect(save).toHaveAttribute('aria-busy', 'true')
    expect(held.count()).toBeGreaterThan(0)
    const saved = page.waitForEvent('download')
    held.release()
    expect((await saved).suggestedFilename()).toMatch(/address\.png$/)
  })

test('the address is copied before the scripts, and the page goes on as ever when they have run', async ({
  page,
  embedded,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const held = await openHeld({ page, stack, createSession })
  const address = (await embedded.getByTestId('address').innerText()).replaceAll(/\s/g, '')
  const copy = embedded.getByTestId('copy-address')
  await copy.click()
  await expect(embedded.getByRole('button', { name: 'Address copied', exact: true })).toBeVisible()
  await expect(embedded.getByRole('status').filter({ hasText: 'Address copied' })).toHaveCount(1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await expect(embedded.getByRole('button', { name: 'Copy address', exact: true })).toBeVisible()
  expect(held.count()).toBeGreaterThan(0)

  await page.evaluate(() => navigator.clipboard.writeText('something else'))
  held.release()
  await expect
    .poll(() => frameOf(page).evaluate(() => document.querySelector('[data-scripts]')?.getAttribute('data-scripts')))
    .toBe('on')
  await copy.click()
  await expect(embedded.getByRole('button', { name: 'Address copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  expect(consoleFaults).toEqual([])
})

test('where the browser refuses to copy, the press before the scripts waits for them', async ({
  page,
  embedded,
  stack,
  createSession,
}) => {
  const held = await openHeld({ page, stack, createSession })
  await expect(embedded.getByTestId('address')).toBeVisible()
  await frameOf(page).evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } }),
  )
  const copy = embedded.getByTestId('copy-address')
  await copy.click()
  await expect(copy).toHaveAttribute('aria-busy', 'true')
  held.release()
  await expect(copy).not.toHaveAttribute('aria-busy')
})

test('a copy that the browser refuses only after the scripts have run ends like any other refused copy', async ({
  page,
  embedded,
  stack,
  createSession,
}) => {
  const held = await openHeld({ page, stack, createSession })
  await expect(embedded.getByTestId('address')).toBeVisible()
  await frameOf(page).evaluate(() => {
    let calls = 0
    const writeText = () =>
      new Promise<void>((_resolve, reject) => {
        const refuse = (): void => reject(new Error('refused'))
        calls += 1
        if (calls === 1) addEventListener('refuse', refuse)
        else refuse()
      })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
    Object.defineProperty(document, 'execCommand', { value: () => false })
  })
  const copy = embedded.getByTestId('copy-address')
  await copy.click()
  held.release()
  await expect(embedded.locator('[data-scripts="on"]')).toBeVisible()
  await expect(embedded.getByText('Live.')).toBeVisible()
  await frameOf(page).evaluate(() => window.dispatchEvent(new Event('refuse')))
  await expect(embedded.getByRole('region').getByText('Copying is blocked here.')).toBeVisible()
  await expect(copy).not.toHaveAttribute('aria-busy')
})

test('the currency and the wallet of a purchase, chosen before the scripts run, are kept', async ({
  page,
  embedded,
  stack,
  createSession,
}) => {
  const held = await openHeld({ page, stack, createSession }, { flows: ['buy'], own_wallet: true })
  await embedded.getByLabel('Pay with').selectOption('JPY')
  await embedded.getByLabel('Your own wallet').check()
  expect(held.count()).toBeGreaterThan(0)
  held.release()
  await expect(embedded.getByLabel('Your wallet address')).toBeVisible()
  await expect(embedded.getByLabel('Your own wallet')).toBeChecked()
  await expect(embedded.getByLabel('Pay with')).toHaveValue('JPY')
})
