/** The sandbox's control page, as QA uses it with the cashier. */
import axe from 'axe-core'
import type { Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

// A separate stack, because clock, modes and faults affect all users.
test.use({ stackOptions: { sandbox: { SANDBOX_PAGE_SIZE: '20' } } })

test.afterEach(async ({ stack }) => {
  await stack.sandbox.control.clearFaults()
  await stack.sandbox.control.moveClock({ offset_ms: 0 })
  await stack.sandbox.control.changeModes({ webhooks: 'on', page_size: 20 })
})

const panel = (page: Page, name: string): Locator =>
  page.locator('.panel').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) })

/** Opens the control page for a user, and waits until it is live. */
async function openControl(page: Page, url: string, query = ''): Promise<void> {
  await page.goto(`${url}/control${query}`)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
}

const isOnScreen = async (page: Page, found: Locator): Promise<boolean> => {
  const box = await found.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0)
}

test('each row has the user, the amount, the time and the number of attempts', async ({ page, stack, user }) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  await stack.sandbox.control.detectDeposit({ user_reference: user, currency: 'USDT', network: 'Tron', amount: '7.25' })
  await stack.cashier.api.createSession({ user_reference_id: user })
  await openControl(page, stack.sandbox.url, `?user=${user}`)

  const webhook = panel(page, 'Webhooks').locator('summary').filter({ hasText: user })
  await expect(webhook).toContainText('User Deposit, processing')
  await expect(webhook).toContainText('7.25 USDT on Tron')
  await expect(webhook).toContainText(/\d\d:\d\d:\d\d · 1 attempt/)
  await webhook.click()
  await expect(panel(page, 'Webhooks').getByRole('list', { name: 'Attempts' })).toContainText(/200 · \d+ ms/)

  const call = panel(page, 'Calls').locator('summary').filter({ hasText: 'user transactions' }).first()
  await expect(call).toContainText(user)
  await expect(call).toContainText(/\d\d:\d\d:\d\d · \d+ attempts?/)
})

test('only the rows of one user are shown, until all rows are requested', async ({ page, stack, user }) => {
  const other = `other-${crypto.randomUUID()}`
  for (const one of [user, other]) {
    await stack.sandbox.control.detectDeposit({ user_reference: one, currency: 'USDT', network: 'Tron', amount: '1' })
  }
  await openControl(page, stack.sandbox.url, `?user=${user}`)
  const rows = page.locator('main').getByText(other)
  await expect(panel(page, 'Webhooks')).toContainText(user)
  await expect(rows).toHaveCount(0)

  await page.getByLabel('Show only this user').uncheck()
  await expect(panel(page, 'Waiting for you')).toContainText(other)
  await page.getByLabel('Show only this user').check()
  await page.getByLabel('User', { exact: true }).fill(other)
  await expect(panel(page, 'Waiting for you')).not.toContainText(user)
  await expect(panel(page, 'Webhooks')).toContainText(other)

  await page.reload()
  await expect(page.getByLabel('User', { exact: true })).toHaveValue(other)
  await expect(panel(page, 'Webhooks')).toContainText(other)
})

test('a scenario starts with one button, waits for the user and continues by itself, also after a reload', async ({
  context,
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('10')
  const control = await context.newPage()
  await openControl(control, stack.sandbox.url, `?user=${user}`)
  const scenarios = panel(control, 'Scenarios')
  await scenarios.getByRole('button', { name: 'payout failed' }).click()
  const run = scenarios.getByRole('listitem')
  await expect(run).toContainText('your turn')
  await expect(run).toContainText('Withdraw in the cashier.')
  await control.reload()
  await expect(run).toContainText('your turn')

  await cashier.withdraw.all('5', TRON_ADDRESS)
  await expect(run).toContainText('done')
  await expect(run).toContainText('What you see: failed')
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await run.getByRole('button', { name: 'Close' }).click()
  await expect(run).toHaveCount(0)
  await expect(cashier.balance).toContainText('10')
})

test('one button undoes lasting changes', async ({ page, stack, user }) => {
  await openControl(page, stack.sandbox.url, `?user=${user}`)
  const scenarios = panel(page, 'Scenarios')
  const faults = panel(page, 'Faults')
  await scenarios.getByRole('button', { name: 'gateway away' }).click()
  await expect(faults.getByText('1 set')).toBeVisible()
  await scenarios.getByRole('listitem').getByRole('button', { name: 'Undo' }).click()
  await expect(faults.getByText('1 set')).toBeHidden()
  await expect(scenarios.getByRole('listitem')).toHaveCount(0)
})

test('one press copies a magic amount', async ({ page, context, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openControl(page, stack.sandbox.url)
  await page.getByRole('link', { name: 'Magic values' }).click()
  await panel(page, 'Magic values').getByRole('button', { name: '5.0701 awaits approval' }).click()
  await expect(page.getByRole('status')).toHaveText('5.0701 is copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('5.0701')
  await panel(page, 'Magic values').getByLabel('Network').selectOption('Bitcoin')
  await panel(page, 'Magic values')
    .getByRole('button', { name: /^bc1q\w+ rejected$/ })
    .click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^bc1q/)
})

test('a changed mode has a mark, closed and open, and a button to reset it', async ({ page, stack }) => {
  await openControl(page, stack.sandbox.url)
  const modes = panel(page, 'Modes')
  await expect(modes.getByText(/changed/)).toHaveCount(0)
  await modes.getByRole('heading', { name: 'Modes' }).click()
  const webhooks = modes.getByRole('group', { name: 'Webhooks' }).getByLabel('Webhooks')
  await webhooks.focus()
  await webhooks.selectOption('are kept unsent')
  await expect(modes.locator('summary')).toContainText('1 changed')
  await expect(modes.getByRole('button', { name: 'Back to: are sent' })).toBeVisible()
  await expect(webhooks).toBeFocused()
  await modes.getByLabel('Deposits confirm by themselves').fill('soon')
  await modes.getByLabel('Deposits confirm by themselves').press('Enter')
  await expect(page.getByRole('status')).toContainText('Write a wait as 500 ms, 5 s, 2 min, 1 h, or off')

  await page.reload()
  await expect(modes.locator('summary')).toContainText('1 changed')
  await modes.getByRole('heading', { name: 'Modes' }).click()
  await modes.getByRole('button', { name: 'Back to: are sent' }).click()
  await expect(modes.locator('summary')).not.toContainText('changed')
  expect((await stack.sandbox.control.state()).modes.webhooks).toBe('on')
})

test('on a phone, deposit, scenarios, clock and history are on the first screen, and nothing is wider than it', async ({
  page,
  stack,
  user,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openControl(page, stack.sandbox.url, `?user=${user}`)
  const clock = panel(page, 'Clock')
  const fill = panel(page, 'Fill the history').getByRole('button', { name: 'Fill the history' })
  const firstScreen = [
    panel(page, 'Send a deposit').getByRole('button', { name: 'Detect', exact: true }),
    panel(page, 'Scenarios').getByRole('button', { name: 'credited deposit' }),
    clock.getByRole('button', { name: '+ 1 h' }),
    fill,
  ]
  const tops: number[] = []
  for (const button of firstScreen) {
    expect(await isOnScreen(page, button)).toBe(true)
    tops.push((await button.boundingBox())?.y ?? 0)
  }
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await expect(panel(page, 'Faults').getByRole('button', { name: 'Set the fault' })).toBeVisible()

  await clock.getByRole('button', { name: '+ 1 h' }).click()
  await expect(clock).toContainText('1 h ahead')
  await clock.getByRole('button', { name: 'Real time' }).click()
  await expect(clock).toContainText('real time')

  await panel(page, 'Fill the history').getByLabel('How many').selectOption('10')
  await fill.click()
  await expect(panel(page, 'Latest transactions').getByRole('listitem')).toHaveCount(10)

  await stack.sandbox.control.detectDeposit({
    user_reference: user,
    currency: 'ETH',
    network: 'Ethereum',
    amount: `${'9'.repeat(30)}.${'9'.repeat(18)}`,
  })
  await expect(panel(page, 'Waiting for you')).toContainText('9.9999')
  for (const name of ['Magic values', 'Modes', 'Send any webhook']) {
    await panel(page, name).getByRole('heading', { name }).click()
  }
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('by keyboard: the focus stays in its place when a list changes', async ({ page, stack, user }) => {
  const deposit = { user_reference: user, currency: 'USDT', network: 'Tron', amount: '1' }
  await stack.sandbox.control.detectDeposit(deposit)
  await openControl(page, stack.sandbox.url, `?user=${user}`)
  const open = panel(page, 'Waiting for you')
  const confirm = open.getByRole('button', { name: 'Confirm' })
  await confirm.focus()
  const another = await stack.sandbox.control.detectDeposit({ ...deposit, amount: '2' })
  await expect(confirm).toHaveCount(2)
  await expect(confirm.last()).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(confirm).toHaveCount(1)
  await expect(open.getByRole('heading', { name: 'Waiting for you' })).toBeFocused()
  await expect(open).toContainText('2 USDT')
  await stack.sandbox.control.confirmDeposit(another)
  await expect(open).toContainText('Nothing is waiting.')
})

test('shop and cashier are one press away, for the user of the page', async ({ page, context, stack, user }) => {
  await openControl(page, stack.sandbox.url, `?user=${user}`)
  for (const [name, address] of [
    ['Shop', /127\.0\.0\.1:\d+\/\?user=/],
    ['Cashier', /\/c\/[\w-]+/],
  ] as const) {
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name, exact: true }).click()
    const tab = await opened
    await tab.waitForURL(address)
    if (name === 'Cashier') await expect(tab.getByText(user)).toBeVisible()
    await tab.close()
  }
})

test('an explorer link of the cashier leads to the sandbox, which shows the transaction', async ({
  embedded,
  context,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  await fund(stack, user, '42.5')
  const card = embedded.getByTestId('live-deposits').getByTestId('deposit')
  const opened = context.waitForEvent('page')
  await card.getByRole('link', { name: 'View on explorer' }).click()
  const explorer = await opened
  await expect(explorer).toHaveURL(new RegExp(`^${stack.sandbox.url}/explorer/Tron/`))
  await expect(explorer.getByText('Sandbox: on no blockchain')).toBeVisible()
  await expect(explorer.getByRole('heading', { name: '42.5 USDT' })).toContainText('succeeded')
  await explorer.getByRole('link', { name: 'All of this user' }).click()
  await expect(explorer.getByLabel('User', { exact: true })).toHaveValue(user)

  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await cashier.history.rows().click()
  const link = cashier.history.details().getByRole('link', { name: 'View on explorer' })
  await expect(link).toHaveAttribute('href', new RegExp(`^${stack.sandbox.url}/explorer/Tron/`))
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no violation: ${colorScheme}`, async ({ page, stack, user }) => {
    await page.emulateMedia({ colorScheme })
    await stack.sandbox.control.detectDeposit({ user_reference: user, currency: 'USDT', network: 'Tron', amount: '1' })
    const [record] = await stack.sandbox.control.transactions({ user_reference: user })
    const violations = async (): Promise<readonly string[]> => {
      await page.evaluate(axe.source)
      const { violations: found } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    }
    await openControl(page, stack.sandbox.url, `?user=${user}`)
    await panel(page, 'Scenarios').getByRole('button', { name: 'payout failed' }).click()
    await expect(panel(page, 'Scenarios').getByText('your turn')).toBeVisible()
    await stack.sandbox.control.changeModes({ page_size: 5 })
    for (const name of ['Magic values', 'Modes', 'Send any webhook']) {
      await panel(page, name).getByRole('heading', { name }).click()
    }
    await expect(panel(page, 'Modes').locator('summary')).toContainText('1 changed')
    expect(await violations()).toEqual([])
    await page.goto(`${stack.sandbox.url}/explorer/Tron/${record?.tx_hash ?? ''}`)
    expect(await violations()).toEqual([])
  })
}
