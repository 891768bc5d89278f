/** In the merchant's page, the cashier keeps working without a network, or while the server refuses connections. */
import type { BrowserContext, FrameLocator, Page, Request } from 'playwright/test'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { openEmbedded } from '../views/host-page.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** The cashier in the frame, with its first URL, and the number of documents that the frame has loaded since. */
async function openFrame(page: Page, stack: Stack, token: () => Promise<string>) {
  const host = await openEmbedded(page, stack, token)
  const cashier = host.cashier('cashier')
  await expect(cashier.getByTestId('address')).toBeVisible()
  let count = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() !== page.mainFrame()) count += 1
  })
  return { cashier, documents: () => count }
}

const goTo = async (cashier: FrameLocator, flow: string): Promise<void> => {
  await cashier.getByTestId(`tab-${flow}`).click()
  await expect(cashier.getByTestId(`tab-${flow}`)).toHaveAttribute('aria-current', 'page')
}

interface Trouble {
  readonly begin: (context: BrowserContext, stack: Stack) => Promise<unknown>
  readonly end: (context: BrowserContext, stack: Stack) => Promise<unknown>
}

const isOfCashier = (stack: Stack) => (url: URL) => url.origin === stack.cashier.url

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'without a network': {
    begin: (context) => context.setOffline(true),
    end: (context) => context.setOffline(false),
  },
  // The browser reports that it is online.
  'while the server refuses connections': {
    begin: (_context, { line }) => line.goAway(),
    end: (_context, { line }) => line.comeBack(),
  },
}

/** The browser logs each failed request. */
const forgetFailedRequests = (faults: string[]): unknown =>
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('net::ERR_')))

for (const [name, trouble] of Object.entries(TROUBLES))
  test(`all flows open ${name}, and each is complete afterwards`, async ({
    page,
    context,
    stack,
    createSession,
    consoleFaults,
  }) => {
    const { cashier, documents } = await openFrame(page, stack, async () => (await createSession()).launch_token)
    await trouble.begin(context, stack)
    for (const flow of ['history', 'withdraw', 'buy', 'deposit']) await goTo(cashier, flow)
    await expect(cashier.getByTestId('address')).toBeVisible()
    await page.evaluate(() => history.go(-2))
    await expect(cashier.getByTestId('tab-withdraw')).toHaveAttribute('aria-current', 'page')
    await expect(cashier.getByTestId('not-loaded')).toBeVisible()
    await page.evaluate(() => history.go(-2))
    await expect(cashier.getByTestId('tab-deposit')).toHaveAttribute('aria-current', 'page')
    await expect(cashier.getByTestId('address')).toBeVisible()

    await trouble.end(context, stack)
    await goTo(cashier, 'withdraw')
    await expect(cashier.getByTestId('withdraw-form')).toBeVisible()
    await goTo(cashier, 'history')
    await expect(cashier.getByTestId('empty')).toBeVisible()
    expect(documents()).toBe(0)
    forgetFailedRequests(consoleFaults)
  })

for (const [name, trouble] of Object.entries(TROUBLES))
  test(`a currency that is chosen ${name} gets its address automatically afterwards`, async ({
    page,
    context,
    stack,
    createSession,
    consoleFaults,
  }) => {
    const { cashier } = await openFrame(page, stack, async () => (await createSession()).launch_token)
    await cashier.getByTestId('currency-button').click()
    await expect(cashier.getByRole('combobox')).toBeVisible()
    await trouble.begin(context, stack)
    await cashier
      .getByRole('option', { name: /USDT.*Tron/s })
      .first()
      .click()
    await expect(cashier.getByRole('heading', { name: 'You are offline' })).toBeVisible()
    await trouble.end(context, stack)
    await expect(cashier.getByTestId('address')).toHaveText(/^T/)
    forgetFailedRequests(consoleFaults)
  })

test('a chosen currency is shown before any answer, without the previous address', async ({
  page,
  stack,
  createSession,
}) => {
  const { cashier, documents } = await openFrame(page, stack, async () => (await createSession()).launch_token)
  const before = await cashier.getByTestId('address').innerText()
  const answers = Promise.withResolvers<null>()
  await page.route(isOfCashier(stack), async (route) => {
    if (route.request().resourceType() === 'fetch') await answers.promise
    await route.continue().catch(() => undefined)
  })

  await new Cashier(cashier).pick('USDT', 'Tron')
  await expect(cashier.getByTestId('currency-button')).toContainText('Tron')
  await expect(cashier.getByTestId('address')).toHaveCount(0)
  await expect(cashier.getByTestId('copy-address')).toBeDisabled()

  answers.resolve(null)
  await expect(cashier.getByTestId('address')).toBeVisible()
  expect(await cashier.getByTestId('address').innerText()).not.toBe(before)
  await expect(cashier.getByTestId('qr').locator('svg')).toBeVisible()
  await expect(cashier.getByTestId('copy-address')).toBeEnabled()
  expect(documents()).toBe(0)
})

test('the picker, opened offline, does not change the page and opens when the network is back', async ({
  page,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  const { cashier } = await openFrame(page, stack, async () => (await createSession()).launch_token)
  await context.setOffline(true)
  await cashier.getByTestId('currency-button').click()
  await expect(cashier.getByTestId('not-loaded')).toBeVisible()
  await expect(cashier.getByTestId('address')).toBeVisible()
  await context.setOffline(false)
  await expect(cashier.getByRole('combobox')).toBeVisible()
  forgetFailedRequests(consoleFaults)
})

/** Sends a withdrawal whose outcome's code is refused until `release` is called. */
async function sendWithoutOutcome({
  page,
  stack,
  user,
  createSession,
}: Pick<TestFixtures, 'user' | 'createSession'> & { readonly page: Page; readonly stack: Stack }) {
  const host = await openEmbedded(page, stack, async () => (await createSession({ flows: ['withdraw'] })).launch_token)
  const frame = host.cashier('cashier')
  const cashier = new Cashier(frame)
  await fund(stack, user, '10')
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.balance).toContainText('10 USDT')
  const { held, release } = await holdScripts(page, 'withdraw-outcome', 'refuse')
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  await held
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(frame.getByTestId('not-loaded')).toHaveText(
    /^This part of the page has not loaded yet\. It appears as soon/,
  )
  return { cashier, frame, release }
}

test('an outcome whose code does not load says nothing about the money, and appears when the network is back', async ({
  page,
  stack,
  user,
  createSession,
  consoleFaults,
}) => {
  const { cashier, release } = await sendWithoutOutcome({ page, stack, user, createSession })
  release()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  forgetFailedRequests(consoleFaults)
})

test('code that an upgrade has renamed comes after a press, with the page', async ({
  page,
  stack,
  user,
  createSession,
  consoleFaults,
}) => {
  const { cashier, frame, release } = await sendWithoutOutcome({ page, stack, user, createSession })
  page.on('request', (request) => {
    if (request.isNavigationRequest()) release()
  })
  await frame.getByRole('button', { name: 'Try again' }).click()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  forgetFailedRequests(consoleFaults)
})

test('a purchase that was tried offline is not called offline any more when the network is back', async ({
  page,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  const { cashier: frame } = await openFrame(page, stack, async () => (await createSession()).launch_token)
  const cashier = new Cashier(frame)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await context.setOffline(true)
  await cashier.buy.start()
  const offline = cashier.buy.form().getByText('You are offline', { exact: true })
  await expect(offline).toBeVisible()
  await context.setOffline(false)
  await expect(offline).toBeHidden()
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  forgetFailedRequests(consoleFaults)
})

test('preloaded parts open offline: picker, review, details', async ({
  page,
  context,
  stack,
  user,
  createSession,
  consoleFaults,
}) => {
  const loading = new Set<Request>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loading.add(request)
  })
  const end = (request: Request): void => void loading.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const { cashier } = await openFrame(page, stack, async () => (await createSession()).launch_token)
  await fund(stack, user, '10')
  const view = new Cashier(cashier)
  await view.pick('USDT', 'Tron')
  await view.goTo('Withdraw')
  await goTo(cashier, 'history')
  await expect(cashier.getByTestId('transaction')).toHaveCount(1)
  await goTo(cashier, 'deposit')
  // The page preloads the rest six seconds after the start: waits until scripts have come, and no more for a second.
  await expect
    .poll(async () => {
      if (loading.size > 0) return false
      return cashier.locator('body').evaluate(() => {
        const begun = performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .map(({ startTime }) => startTime)
        const last = Math.max(...begun)
        return last > 6000 && performance.now() - last > 1000
      })
    })
    .toBe(true)
  await context.setOffline(true)

  await cashier.getByTestId('currency-button').click()
  await expect(cashier.getByRole('combobox')).toBeVisible()
  await page.keyboard.press('Escape')
  await goTo(cashier, 'history')
  await cashier.getByTestId('transaction').click()
  await expect(cashier.getByTestId('details')).toBeVisible()
  await page.keyboard.press('Escape')
  await goTo(cashier, 'withdraw')
  await view.withdraw.fill('4', TRON_ADDRESS)
  await view.withdraw.review()
  await expect(cashier.getByTestId('withdraw-review')).toBeVisible()
  await expect(cashier.getByTestId('not-loaded')).toHaveCount(0)
  await context.setOffline(false)
  forgetFailedRequests(consoleFaults)
})
