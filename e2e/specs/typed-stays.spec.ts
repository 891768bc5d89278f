/** In the merchant's page: typed text is still there after a visit to another flow, and after a refusal. */
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { sandboxPayoutsOf, purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import type { Cashier } from '../views/cashier.ts'
import { frameOf, reloadFrame } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** The form, with a balance of 10. */
async function openFunded(openWithdrawForm: TestFixtures['openWithdrawForm']): Promise<Cashier> {
  const cashier = await openWithdrawForm('10')
  await expect(cashier.balance).toContainText('10')
  return cashier
}

const amount = (cashier: Cashier) => cashier.root.getByLabel('Amount')
const address = (cashier: Cashier) => cashier.root.getByLabel('To address')
const pays = (cashier: Cashier) => cashier.root.getByLabel('You pay')

test('typed text stays while another flow is shown, only in the memory of the page', async ({ page, openUsdt }) => {
  const cashier = await openUsdt()
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('1.25', TRON_ADDRESS)
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'FR')
  await cashier.root.getByLabel('Pay with').selectOption('CHF')
  // The form that the server rendered, and a form that the browser renders.
  for (const other of ['Deposit', 'History'] as const) {
    await cashier.goTo(other)
    await cashier.goTo('Withdraw')
    await expect(amount(cashier)).toHaveValue('1.25')
    await expect(address(cashier)).toHaveValue(TRON_ADDRESS)
    await cashier.goTo('Buy')
    await expect(pays(cashier)).toHaveValue('80')
    await expect(cashier.root.getByLabel('Country')).toHaveValue('FR')
    await expect(cashier.root.getByLabel('Pay with')).toHaveValue('CHF')
  }

  const stored = await frameOf(page).evaluate(() =>
    JSON.stringify([location.href, history.state, Object.entries(localStorage), Object.entries(sessionStorage)]),
  )
  expect(stored).toContain('/c/')
  expect(stored).not.toContain(TRON_ADDRESS)
  await reloadFrame(page)
  await expect(pays(cashier)).toHaveValue('')
  await cashier.goTo('Withdraw')
  await expect(address(cashier)).toHaveValue('')
})

test('a withdrawal under way is never sent twice, also if the user leaves it and returns', async ({
  page,
  stack,
  user,
  consoleFaults,
  openWithdrawForm,
}) => {
  const cashier = await openFunded(openWithdrawForm)
  const answers = Promise.withResolvers<null>()
  let requests = 0
  await page.route('**/api/cashier/withdrawals', async (route) => {
    requests += 1
    if (requests > 1) return route.continue()
    await route.fetch()
    await answers.promise
    return route.abort()
  })
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect.poll(() => sandboxPayoutsOf(stack, user)).toHaveLength(1)
  await expect(cashier.reserved).toBeVisible()
  // By key, because Playwright's mouse press is lost here; a real press is not.
  await cashier.root.getByTestId('tab-history').press('Enter')
  await expect(cashier.history.rows()).toHaveCount(2)
  await cashier.goTo('Withdraw')
  await expect(amount(cashier)).toHaveValue('3')
  await expect(address(cashier)).toHaveValue(TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(cashier.root.getByRole('button', { name: 'Sending' })).toHaveAttribute('aria-busy', 'true')
  answers.resolve(null)
  await expect(cashier.withdraw.alert()).toContainText('the same request is never sent twice')
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect([requests, (await sandboxPayoutsOf(stack, user)).length]).toEqual([2, 1])
  // It was sent, so the form is empty.
  await cashier.done()
  await expect(amount(cashier)).toHaveValue('')
  await expect(address(cashier)).toHaveValue('')
  consoleFaults.length = 0
})

test('the form is empty after sending, also if the answer came while the user was in another flow', async ({
  page,
  openWithdrawForm,
}) => {
  const cashier = await openFunded(openWithdrawForm)
  const answers = Promise.withResolvers<null>()
  await page.route('**/api/cashier/withdrawals', async (route) => {
    await answers.promise
    await route.continue()
  })
  await cashier.withdraw.all('3', TRON_ADDRESS)
  await cashier.goTo('History')
  answers.resolve(null)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  await cashier.goTo('History')
  await cashier.goTo('Withdraw')
  await expect(amount(cashier)).toHaveValue('')
  await expect(address(cashier)).toHaveValue('')
})

test('a refused withdrawal is tried again with the same details, as a new withdrawal', async ({
  page,
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openFunded(openWithdrawForm)
  await stack.sandbox.control.fault({
    target: 'withdraw',
    kind: 'refuse',
    times: 1,
    match: { user_reference: user },
  })
  await cashier.withdraw.all('1.234', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  const refused = frameOf(page).url()
  expect(refused).toContain('withdrawal=')
  await cashier.root.getByRole('button', { name: 'Try again with the same details' }).click()
  await expect(amount(cashier)).toHaveValue('1.234')
  await expect(address(cashier)).toHaveValue(TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await expect(cashier.root.getByRole('button', { name: 'Try again with the same details' })).toHaveCount(0)
  expect(frameOf(page).url()).toContain('withdrawal=')
  expect(frameOf(page).url()).not.toBe(refused)
})

test('a failed payment is started again with the same details; after a paid one, country and currency stay', async ({
  stack,
  user,
  openUsdt,
}) => {
  const cashier = await openUsdt()
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'FR')
  await cashier.root.getByLabel('Pay with').selectOption('CHF')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  await stack.sandbox.control.advanceOnramp(await purchaseOfUser(stack, user), 'failed')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'failed')
  await cashier.root.getByRole('button', { name: 'Start a new payment' }).click()
  await expect(pays(cashier)).toHaveValue('80')

  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'pending')
  await stack.sandbox.control.advanceOnramp(await purchaseOfUser(stack, user), 'processing')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await cashier.done()
  await expect(pays(cashier)).toHaveValue('')
  await expect(cashier.root.getByLabel('Country')).toHaveValue('FR')
  await expect(cashier.root.getByLabel('Pay with')).toHaveValue('CHF')
})
