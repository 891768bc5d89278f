/** The landing page of the operators' console: what needs a person, and the numbers of the day. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/console-test.ts'
import { fund } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { violations } from '../fixtures/violations.ts'
import { depositEvent } from '../system/deposit-event.ts'

// A stack of its own: at first nothing needs anybody.
test.use({ stackOptions: { cashier: { KEEP_WEBHOOKS_DAYS: '91' } }, viewport: { width: 1280, height: 800 } })
test.describe.configure({ mode: 'serial' })

const exception = (page: Page, title: string) => page.getByRole('main').getByRole('link').filter({ hasText: title })
const inRow = (page: Page, code: string) => page.getByRole('row').filter({ hasText: code })

/** A signed event of a user whom the cashier does not know. */
const depositOfStranger = (stack: Stack): Promise<unknown> =>
  stack.sandbox.control.call('POST', '/webhooks/send', {
    raw: depositEvent({
      uuid: crypto.randomUUID(),
      user: `stranger-${crypto.randomUUID()}`,
      amount: '5',
      status: 'succeeded',
    }),
  })

test('nothing needs anybody, and the page says what would', async ({ page, signIn }) => {
  await signIn('viewer')
  await expect(page.getByRole('heading', { name: 'What needs you' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing needs you' })).toBeVisible()
  await expect(page.getByText('Nothing has succeeded today')).toBeVisible()
  await expect(page.getByText('No webhook of the gateway is stored yet.')).toBeVisible()
  expect(await violations(page.mainFrame())).toEqual([])
})

test('a deposit is counted in the numbers of the day, without a press', async ({ page, stack, user, signIn }) => {
  await signIn('viewer')
  await expect(page.getByText('Nothing has succeeded today')).toBeVisible()
  await stack.cashier.api.createSession({ user_reference_id: user })
  await fund(stack, user, '25.5')
  const deposits = inRow(page, 'USDT').getByRole('link', { name: '25.5' })
  await expect(deposits).toBeVisible({ timeout: 20_000 })
  await expect(deposits).toHaveText(/25\.5\s*1 time/)
  await expect(deposits).toHaveAttribute('href', /\/operate\/transactions\?kind=deposit&status=succeeded&currency=USDT/)
  await expect(page.getByText(/Last webhook of the gateway: \d+ s ago/)).toBeVisible()

  // The charts are read each minute.
  await page.reload()
  const charts = page.getByRole('region', { name: 'The last 7 days' })
  await expect(charts.getByRole('img', { name: /^Deposits of USDT Tron, by day: .*: 25\.5 \(1 time\)$/ })).toBeVisible()
  await expect(charts.getByRole('img', { name: /^Withdrawals of USDT Tron/ }).locator('rect')).toHaveCount(8)
  await charts.getByText('As a table').click()
  await expect(charts.getByRole('row').last()).toContainText('25.5')
})

test('an event of an unknown user shows by itself, and its number leads to its list', async ({
  page,
  stack,
  signIn,
}) => {
  await signIn('viewer')
  await expect(page.getByRole('heading', { name: 'What needs you' })).toBeVisible()
  await depositOfStranger(stack)
  const row = exception(page, 'Unknown users')
  await expect(row).toContainText('1', { timeout: 10_000 })
  await depositOfStranger(stack)
  await expect(row).toContainText('2', { timeout: 10_000 })
  await expect(row).toContainText(/oldest \d+ (s|min) ago/)
  await row.click()
  await expect(page).toHaveURL(/\/operate\/quarantine\?reason=unknown_user$/)
})

test('refused webhooks show, until one is accepted', async ({ page, stack, user, signIn }) => {
  await signIn('viewer')
  await stack.sandbox.control.call('POST', '/webhooks/send', { raw: '{}', signing: 'other_key' })
  const row = exception(page, 'Webhooks were refused')
  await expect(row).toContainText('unauthenticated', { timeout: 20_000 })
  await stack.cashier.api.createSession({ user_reference_id: user })
  await fund(stack, user, '1')
  await expect(row).toBeHidden({ timeout: 20_000 })
})

test('a hidden page lets the stream go, and reads everything again when it is seen', async ({
  page,
  stack,
  signIn,
}) => {
  const events: string[] = []
  const note = (what: string) => (request: { url(): string }) => {
    if (request.url().endsWith('/api/operate/events')) events.push(what)
  }
  page.on('request', note('open'))
  page.on('requestfailed', note('closed'))
  page.on('requestfinished', note('closed'))
  const show = (state: 'hidden' | 'visible'): Promise<void> =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await signIn('viewer')
  const row = exception(page, 'Unknown users')
  await expect(row).toContainText('2')
  await expect.poll(() => events.at(-1)).toBe('open')
  const seen = await page.context().newPage()
  await seen.goto('/operate')
  await expect(exception(seen, 'Unknown users')).toContainText('2')
  await show('hidden')
  await expect.poll(() => events.at(-1)).toBe('closed')
  await depositOfStranger(stack)
  // A page that is seen tells it by then.
  await expect(exception(seen, 'Unknown users')).toContainText('3')
  await expect(row).toContainText('2')
  await show('visible')
  await expect(row).toContainText('3')
  expect(events.at(-1)).toBe('open')
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme, viewport: { width: 390, height: 800 } })

    test(`axe finds nothing on a phone: ${colorScheme}`, async ({ page, signIn }) => {
      await signIn('viewer')
      await expect(exception(page, 'Unknown users')).toBeVisible()
      for (const name of ['Today', 'The last 7 days'])
        await expect(page.getByRole('region', { name }).getByRole('heading', { name: 'USDT Tron' })).toBeVisible()
      expect(await violations(page.mainFrame())).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    })
  })
