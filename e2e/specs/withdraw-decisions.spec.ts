/** Withdrawals that the merchant approves, postpones, declines, or does not answer. */
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { sandboxPayoutsOf, withdrawCalls } from '../fixtures/sandbox-records.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Cashier } from '../views/cashier.ts'
import { frameOf, reloadFrame, shownWithdrawal } from '../views/scrolled-host.ts'

/** The page shows icons only from https. */
const ICONS = 'https://icons.example'

test.use({
  stackOptions: { merchantDecides: true, cashier: { ONRAMP_ORIGINS: '' }, sandbox: { SANDBOX_PUBLIC_URL: ICONS } },
})

const DISC = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="32"/></svg>'

/** Sets the shop's answer from now on. */
async function answer(stack: Stack, decision: string, user_message: string | null = null): Promise<void> {
  const body = JSON.stringify({ decision, user_message })
  const response = await fetch(`${stack.merchant.url}/qa`, { method: 'POST', body })
  expect(response.status).toBe(200)
}

const decideLater = (stack: Stack, id: string, decision: object): Promise<Response> =>
  stack.cashier.api.call('POST', `/withdrawals/${id}/authorization`, decision)

let cashier: Cashier
test.beforeEach(async ({ page, openWithdrawForm }) => {
  await page.route(`${ICONS}/**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: DISC }))
  cashier = await openWithdrawForm(undefined)
})

// One stack for all tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

test('postponed with the merchant’s message, approved later, sent and complete, live', async ({
  page,
  stack,
  user,
}) => {
  await answer(stack, 'postpone', 'We call you within an hour.')
  await cashier.withdraw.all('25', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  await expect(cashier.withdraw.outcome()).toContainText('must approve this first. Nothing has been sent yet.')
  await expect(cashier.withdraw.outcome().getByRole('blockquote')).toHaveText('We call you within an hour.')
  expect(await withdrawCalls(stack, user)).toBe(0)

  await reloadFrame(page)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  await expect(cashier.connection).toContainText('Live')
  const id = shownWithdrawal(page)
  expect((await decideLater(stack, id, { decision: 'approve' })).status).toBe(200)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await expect(cashier.withdraw.outcome().getByRole('blockquote')).toHaveCount(0)
  const [payout = ''] = await sandboxPayoutsOf(stack, user)
  await stack.sandbox.control.completeWithdrawal(payout)
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.')
  expect((await decideLater(stack, id, { decision: 'decline' })).status).toBe(409)
})

test('its details stay open while it is approved, sent and complete; the receipt has the time of what it says', async ({
  page,
  embedded,
  stack,
  user,
}) => {
  await answer(stack, 'postpone')
  await cashier.withdraw.all('27', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  const id = shownWithdrawal(page)
  await cashier.goTo('History')
  await cashier.history.rows().first().click()
  await expect(cashier.history.details()).toContainText('Waiting for a check')
  expect((await decideLater(stack, id, { decision: 'approve' })).status).toBe(200)
  await expect(cashier.history.details()).toContainText('Processing')
  // From the gateway's list.
  await expect(cashier.history.details()).toContainText('Transaction reference')

  await cashier.history.details().getByRole('button', { name: 'Receipt' }).click()
  const receipt = embedded.getByTestId('receipt')
  const asOf = async (): Promise<number> =>
    Date.parse((await receipt.locator('.end time').getAttribute('datetime')) ?? '')
  await expect(receipt).toContainText('Processing')
  const openedMs = await asOf()
  const [payout = ''] = await sandboxPayoutsOf(stack, user)
  await stack.sandbox.control.completeWithdrawal(payout)
  await expect(receipt).toContainText('Done')
  expect(await asOf()).toBeGreaterThan(openedMs)
})

test('declined with the merchant’s message, at once and after a postponement; nothing is sent', async ({
  page,
  embedded,
  stack,
  user,
  consoleFaults,
}) => {
  const words = 'Verify your account first: Settings, Identity.'
  await answer(stack, 'decline', words)
  await cashier.withdraw.all('25', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome()).toContainText(/Declined.*The site you came from declined it\./s)
  await expect(cashier.withdraw.outcome().getByRole('blockquote')).toHaveText(words)
  await expect(embedded.getByTestId('support')).toBeVisible()

  await cashier.done()
  await answer(stack, 'postpone')
  await cashier.withdraw.all('26', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  const id = shownWithdrawal(page)
  expect((await decideLater(stack, id, { decision: 'decline', user_message: words })).status).toBe(200)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome().getByRole('blockquote')).toHaveText(words)
  const announced = embedded.getByTestId('announcements')
  await expect(announced).toContainText('Withdrawal of 26 USDT: Declined')
  await expect(announced).not.toContainText('Failed')

  await cashier.goTo('History')
  await expect(cashier.history.rows()).toContainText(['Declined', 'Declined'])
  await cashier.history.rows().first().click()
  await expect(cashier.history.details()).toContainText(words)
  expect(await withdrawCalls(stack, user)).toBe(0)
  consoleFaults.length = 0
})

test('without the merchant’s answer it is declined after five seconds, also for a reloaded page; the picker gets the icon of a network meanwhile', async ({
  page,
  embedded,
  stack,
  user,
  consoleFaults,
}) => {
  // Its event has the network's icon, which the list of currencies lacks; the cashier reads the list every ten seconds.
  await fund(stack, user, '1')
  await answer(stack, 'silence')
  await cashier.withdraw.fill('25', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(embedded.getByRole('button', { name: 'Sending' })).toHaveAttribute('aria-busy', 'true')
  await expect(embedded.getByRole('button', { name: 'Back' })).toBeDisabled()
  // The same request, from a page that does not know the first request, waits for the same answer.
  await reloadFrame(page)
  await cashier.withdraw.fill('25', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome()).toContainText('Nothing was sent.')
  expect(await withdrawCalls(stack, user)).toBe(0)
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(2)
  consoleFaults.length = 0

  await cashier.goTo('Deposit')
  await expect(embedded.getByTestId('address')).toBeVisible()
  const icon = `img[src="${ICONS}/icons/network/Tron.svg"]`
  const shown = embedded.getByTestId('currency-button').locator(icon)
  await expect(async () => {
    await reloadFrame(page)
    await expect(shown).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await embedded.getByRole('button', { name: /^Currency: / }).click()
  await expect(
    embedded
      .getByRole('option', { name: /USDT.*Tron/s })
      .first()
      .locator(icon),
  ).toBeVisible()
})

test('without ONRAMP_ORIGINS nothing can be bought', async ({ page, embedded }) => {
  await expect(embedded.getByRole('navigation').getByRole('link')).toHaveText(['Deposit', 'Withdraw', 'History'])
  const frame = frameOf(page)
  await frame.goto(frame.url().replace(/\/(deposit|withdraw).*/, '/buy'))
  await expect(embedded.getByText('This is not available to you')).toBeVisible()
})
