/** The answer to a withdrawal's request does not arrive, but the cashier has recorded the withdrawal. */
import type { Page, Route } from 'playwright/test'
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { sandboxPayoutsOf, withdrawCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { loseNextAnswer } from '../fixtures/withdrawal-requests.ts'
import type { Cashier } from '../views/cashier.ts'

/** Sends a withdrawal of 3 that the cashier gets; the page gets no answer, or `instead`. */
async function sendUnanswered(page: Page, cashier: Cashier, instead?: (route: Route) => Promise<void>): Promise<void> {
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await loseNextAnswer(page, instead)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.alert()).toBeVisible()
}

for (const status of [429, 502, 504])
  test(`a ${status} of a proxy does not say that nothing was sent`, async ({
    page,
    stack,
    user,
    consoleFaults,
    openWithdrawForm,
  }) => {
    const cashier = await openWithdrawForm('10')
    await sendUnanswered(page, cashier, (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>The proxy</h1>' }),
    )
    await expect(cashier.withdraw.alert()).toContainText('the same request is never sent twice')
    await expect(cashier.withdraw.alert()).not.toContainText('Nothing was sent')
    await cashier.withdraw.send()
    await expect(cashier.withdraw.outcome()).toContainText('Processing')
    expect(await withdrawCalls(stack, user)).toBe(1)
    consoleFaults.length = 0
  })

test('a repeat shows how the withdrawal stands now, and not how it began', async ({
  page,
  embedded,
  stack,
  user,
  consoleFaults,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('10')
  await sendUnanswered(page, cashier)
  const [payout = ''] = await sandboxPayoutsOf(stack, user)
  await stack.sandbox.control.completeWithdrawal(payout)
  await expect(embedded.getByTestId('announcements')).toContainText('Done')

  await cashier.withdraw.send()
  // Sooner than the outcome is read again by itself.
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.', { timeout: 10_000 })
  consoleFaults.length = 0
})

test('the form says that an earlier request may be under way, also for another amount', async ({
  page,
  embedded,
  stack,
  user,
  consoleFaults,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('10')
  await sendUnanswered(page, cashier)
  await cashier.backToForm()
  const warning = embedded.getByText('We did not get a clear response.')
  await expect(warning).toBeVisible()
  await embedded.getByLabel('Amount').fill('4')
  await expect(warning).toBeVisible()

  await embedded.getByLabel('Amount').fill('3')
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await withdrawCalls(stack, user)).toBe(1)
  await cashier.done()
  await expect(cashier.withdraw.form()).toBeVisible()
  await expect(warning).toBeHidden()
  consoleFaults.length = 0
})
