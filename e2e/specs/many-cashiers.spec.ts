/** Many cashiers in one browser, which opens six connections to a host over HTTP/1.1; and browsers without a stream. */
import type { Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

const TWELVE = Array.from({ length: 12 }, (_item, at) => `cashier${at}`)

const setHidden = (page: Page, hidden: boolean): Promise<unknown> =>
  frameOf(page).evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )

test('twelve frames on one page all show an address, react to a press, and show events', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
    targets: TWELVE,
  })
  for (const name of TWELVE) await host.mount(name)
  for (const name of TWELVE) {
    // A browser renders a frame only when it is on the screen, and what comes late in its page waits for that.
    await page.locator(`#${name} iframe`).scrollIntoViewIfNeeded()
    await host.ready(name)
    await expect(host.cashier(name).getByTestId('address')).toBeVisible()
  }

  await host.cashier('cashier11').getByTestId('tab-history').click()
  await expect(host.cashier('cashier11').getByTestId('empty')).toBeVisible()

  await fund(stack, user, '7', 'BTC', 'Bitcoin')
  for (const name of TWELVE) await expect(host.cashier(name).getByTestId('balance')).toContainText('7 BTC')
  // The events themselves arrive too, not only the results of polls.
  for (const name of TWELVE) await expect.poll(() => host.types(name)).toContain('transaction')
})

test('twelve tabs all show an address and events, and the first still reacts to a press', async ({
  page,
  embedded,
  context,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const tabs = [page]
  for (let more = 1; more < 12; more += 1) {
    const tab = await context.newPage()
    await openCashier({}, tab)
    tabs.push(tab)
  }
  for (const tab of tabs) await expect(cashierIn(tab).getByTestId('address')).toBeVisible()
  await embedded.getByTestId('tab-history').click()
  await expect(embedded.getByTestId('empty')).toBeVisible()
  await fund(stack, user, '7', 'BTC', 'Bitcoin')
  for (const tab of tabs) await expect(cashierIn(tab).getByTestId('balance')).toContainText('7 BTC')
})

test('a hidden page closes its stream, and catches up when it is shown again', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  let open = 0
  const isStream = (url: string): boolean => url.includes('/api/cashier/events')
  page.on('request', (request) => (open += isStream(request.url()) ? 1 : 0))
  page.on('requestfailed', (request) => (open -= isStream(request.url()) ? 1 : 0))
  await openCashier()
  await expect(embedded.getByTestId('connection')).toHaveAttribute('data-phase', 'live')
  expect(open).toBe(1)

  await setHidden(page, true)
  await expect.poll(() => open).toBe(0)
  await fund(stack, user, '7', 'BTC', 'Bitcoin')
  await setHidden(page, false)
  await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')
  await expect(embedded.getByTestId('balance')).toContainText('7 BTC')
  expect(open).toBe(1)
  expect(consoleFaults).toEqual([])
})

for (const [name, breakIt] of Object.entries({
  'without EventSource': () => Reflect.deleteProperty(window, 'EventSource'),
  'where EventSource throws': () => {
    window.EventSource = function refuse() {
      throw new DOMException('blocked', 'SecurityError')
    } as unknown as typeof EventSource
  },
}))
  test(`${name} the page asks every 30 s`, async ({ page, embedded, stack, user, openCashier }) => {
    await page.addInitScript(breakIt)
    await page.clock.install()
    await openCashier()
    await expect(embedded.getByTestId('address')).toBeVisible()
    await expect(embedded.getByTestId('connection')).toContainText('Last checked')
    await fund(stack, user, '7', 'BTC', 'Bitcoin')
    await page.clock.runFor(31_000)
    await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')
    await expect(embedded.getByTestId('balance')).toContainText('7 BTC')
  })

test('without crypto.randomUUID, as on a page over plain http, Send works', async ({ page, openWithdrawForm }) => {
  await page.addInitScript(() => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
  })
  const { withdraw } = await openWithdrawForm('10')
  await withdraw.fill('4', TRON_ADDRESS)
  await withdraw.review()
  await withdraw.send()
  await expect(withdraw.outcome()).toBeVisible()
})

test('an exception in Send is shown at the button', async ({ page, embedded, openWithdrawForm, consoleFaults }) => {
  const { withdraw } = await openWithdrawForm('10')
  await withdraw.fill('4', TRON_ADDRESS)
  await withdraw.review()
  await frameOf(page).evaluate(() => {
    crypto.getRandomValues = () => {
      throw new DOMException('no randomness', 'OperationError')
    }
  })
  await withdraw.send()
  await expect(embedded.getByTestId('withdraw-review').getByRole('alert')).toContainText('Nothing was sent')
  expect(consoleFaults.splice(0).join()).toContain('no randomness')
})
