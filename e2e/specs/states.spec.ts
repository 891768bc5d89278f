import { RATE_LIMITED } from '../fixtures/shared-options.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

test.use({ stackOptions: RATE_LIMITED })

test('only the session’s flows have links; the URL of another flow says that it is not available', async ({
  page,
  embedded,
  openCashier,
}) => {
  const session = await openCashier({ flows: ['deposit', 'history'] })
  await expect(embedded.getByRole('navigation').getByRole('link')).toHaveText(['Deposit', 'History'])
  const frame = frameOf(page)
  await frame.goto(frame.url().replace(/\/deposit.*/, '/withdraw'))
  await expect(embedded.getByText('This is not available to you')).toBeVisible()
  expect(frame.url()).toContain(session.session_id)
})

// At top level, because in a merchant's page the script starts another session.
test('a session that the merchant ends is over on the page at once', async ({
  page,
  stack,
  openOnTop,
  consoleFaults,
}) => {
  const session = await openOnTop()
  await expect(new Cashier(page).connection).toContainText('Live')
  await stack.cashier.api.endSession(session.session_id)
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await expect(page.getByTestId('support')).toBeVisible()
  consoleFaults.length = 0
})

test('a session URL without its cookie is an ended session', async ({ page, browser, openOnTop }) => {
  await openOnTop()
  const stranger = await browser.newContext()
  const other = await stranger.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
  await expect(other.getByText('open the cashier again')).toBeVisible()
  await stranger.close()
})

test('the page says that it is offline, and catches up', async ({ embedded, context, openCashier, consoleFaults }) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await expect(cashier.connection).toContainText('Live')
  await context.setOffline(true)
  await expect(cashier.connection).toContainText('You are offline')
  await context.setOffline(false)
  await expect(cashier.connection).toContainText('Live')
  consoleFaults.length = 0
})

test('a change of the device’s clock changes no time that the page shows', async ({
  page,
  embedded,
  context,
  openCashier,
  consoleFaults,
}) => {
  await openCashier()
  const { connection } = new Cashier(embedded)
  await expect(connection).toContainText('Live')
  await page.clock.setSystemTime(Date.now() + 5 * 3_600_000)
  await context.setOffline(true)
  await expect(connection).toContainText('You are offline')
  const caughtUp = page.waitForResponse('**/api/cashier/balances')
  await context.setOffline(false)
  await caughtUp
  const hour = (ms: number): string => new Date(ms).toLocaleTimeString('en', { hour: 'numeric', timeZone: 'UTC' })
  const [now, then] = [hour(Date.now()), hour(Date.now() + 60_000)].map((text) => text.replace(' ', ':\\d\\d '))
  await expect(connection).toHaveText(new RegExp(`^Live\\. Last update (${now}|${then})$`))
  consoleFaults.length = 0
})

test('events that arrive together are all announced', async ({ page, embedded, openCashier, consoleFaults }) => {
  const event = (id: number, amount: string): string =>
    `id: ${id}\nevent: transaction\ndata: ${JSON.stringify({
      transaction_uuid: crypto.randomUUID(),
      kind: 'deposit',
      status: 'succeeded',
      amount,
      currency_code: 'USDT',
      network: 'Tron',
      tx_hash: null,
      updated_at: new Date().toISOString(),
    })}\n\n`
  await page.route(
    '**/api/cashier/events?*',
    (route) => route.fulfill({ contentType: 'text/event-stream', body: event(1, '3') + event(2, '4') }),
    { times: 1 },
  )
  await openCashier()
  await expect(embedded.getByTestId('announcements').locator('p')).toContainText(['3 USDT', '4 USDT'])
  consoleFaults.length = 0
})

test('a gateway failure has a message and a retry button', async ({
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  await stack.sandbox.control.fault({
    target: 'deposit_address',
    kind: 'error_before_commit',
    times: 1,
    match: { user_reference: user },
  })
  await openCashier()
  const cashier = new Cashier(embedded)
  await expect(embedded.getByText('The payment service is not responding')).toBeVisible()
  await expect(embedded.getByTestId('reference')).toContainText('Reference to quote')
  await embedded.getByRole('button', { name: 'Try again' }).click()
  expect(await cashier.deposit.address()).not.toBe('')
  consoleFaults.length = 0
})

test('too many requests have a message, and the form keeps its values', async ({
  page,
  embedded,
  openCashier,
  consoleFaults,
}) => {
  const session = await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  const statuses = await frameOf(page).evaluate(
    async ({ id, currency_id }) => {
      const headers = { 'content-type': 'application/json', 'x-cashier-session': id }
      const body = JSON.stringify({ currency_id, amount: '20', fiat_currency: 'EUR', country: 'DE' })
      const start = (): Promise<Response> => fetch('/api/cashier/onramp-sessions', { method: 'POST', headers, body })
      return (await Promise.all(Array.from({ length: 11 }, start))).map(({ status }) => status).sort()
    },
    { id: session.session_id, currency_id: new URL(frameOf(page).url()).searchParams.get('currency') ?? '' },
  )
  expect(statuses).toEqual([...Array<number>(10).fill(201), 429])
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(embedded.getByText('Too many attempts')).toBeVisible()
  await expect(embedded.getByLabel('You pay')).toHaveValue('80')
  consoleFaults.length = 0
})

test('a used launch link has an error page', async ({ page, createSession, browser, consoleFaults }) => {
  const session = await createSession()
  await page.goto(session.launch_url)
  await page.waitForURL('**/c/**')
  const second = await browser.newContext()
  const other = await second.newPage()
  await other.goto(session.launch_url)
  await expect(other.getByRole('heading')).toBeVisible()
  await expect.poll(() => other.url()).toMatch(/\/launch/)
  await second.close()
  consoleFaults.length = 0
})

test('names of currencies are rendered as text', async ({ page, embedded, stack, openCashier }) => {
  const thrown: string[] = []
  page.on('dialog', (dialog) => {
    thrown.push(dialog.message())
    void dialog.dismiss()
  })
  await stack.sandbox.control.call('PATCH', '/modes', { currency_list: 'long' })
  await openCashier()
  await embedded.getByRole('button', { name: /^Currency: / }).click()
  await expect(embedded.getByRole('option').first()).toBeVisible()
  await embedded.getByRole('combobox').fill('<')
  await page.keyboard.press('Escape')
  expect(thrown).toEqual([])
  await stack.sandbox.control.call('PATCH', '/modes', { currency_list: 'usual' })
})
