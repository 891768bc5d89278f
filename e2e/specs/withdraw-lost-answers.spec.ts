/** The answer to a withdrawal's request does not arrive, but the cashier has recorded the withdrawal. */
import type { FrameLocator, Page, Route } from 'playwright/test'
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { sandboxPayoutsOf, withdrawCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Cashier } from '../views/cashier.ts'
import { pressUntil } from '../views/scrolled-host.ts'

/** A withdrawal of 3 that the cashier gets; the page gets `instead` for its answer. */
async function loseAnswer(
  page: Page,
  embedded: FrameLocator,
  cashier: Cashier,
  instead = (route: Route): Promise<void> => route.abort(),
): Promise<Cashier> {
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await page.route(
    '**/api/cashier/withdrawals',
    async (route) => {
      await route.fetch()
      await instead(route)
    },
    { times: 1 },
  )
  await cashier.withdraw.send()
  await expect(embedded.getByTestId('withdraw-review').getByRole('alert')).toBeVisible()
  return cashier
}

for (const status of [429, 502, 504])
  test(`a ${status} of a proxy does not say that nothing was sent`, async ({
    page,
    embedded,
    stack,
    user,
    consoleFaults,
    openWithdrawForm,
  }) => {
    const cashier = await loseAnswer(page, embedded, await openWithdrawForm('10'), (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>The proxy</h1>' }),
    )
    const alert = embedded.getByTestId('withdraw-review').getByRole('alert')
    await expect(alert).toContainText('the same request is never sent twice')
    await expect(alert).not.toContainText('Nothing was sent')
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
  const cashier = await loseAnswer(page, embedded, await openWithdrawForm('10'))
  const [payout = ''] = await sandboxPayoutsOf(stack, user)
  await stack.sandbox.control.call('POST', `/withdrawals/${payout}/complete`)
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
  const cashier = await loseAnswer(page, embedded, await openWithdrawForm('10'))
  const back = embedded.getByRole('button', { name: 'Back' })
  // The alert moves the button.
  await pressUntil(cashier.withdraw.form(), () => back.click({ timeout: 3000 }))
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
