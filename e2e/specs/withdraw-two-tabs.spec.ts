/**
 * Two tabs at the review of one request, where a tab reads late what the other has written to `localStorage`. At top
 * level, because in a merchant's page each tab has its own session.
 */
import type { Page } from 'playwright/test'
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { sandboxPayoutsOf } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { loseNextAnswer, requestedKeys } from '../fixtures/withdrawal-requests.ts'
import { Cashier } from '../views/cashier.ts'

async function openReview(page: Page, cashier: Cashier): Promise<void> {
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(page.getByRole('button', { name: 'Send 4 USDT', exact: true })).toBeVisible()
}

/**
 * A second tab at the same review. It sees `localStorage` as it was when the tab was opened, because a busy browser
 * passes the changes of other tabs on late. The list of transactions comes too late, too.
 */
async function openOtherTab(page: Page): Promise<{ readonly other: Page; readonly inOtherTab: Cashier }> {
  const other = await page.context().newPage()
  await other.addInitScript(() => {
    const before = Object.fromEntries(Object.entries(localStorage)) as Readonly<Record<string, string>>
    Storage.prototype.getItem = (name) => before[name] ?? null
  })
  await other.goto(page.url())
  const inOtherTab = new Cashier(other)
  await openReview(other, inOtherTab)
  await other.route('**/api/cashier/transactions?*', (route) => route.abort())
  await page.bringToFront()
  return { other, inOtherTab }
}

test.beforeEach(async ({ page, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('100', 'top')
  await expect(cashier.balance).toContainText('100')
  await openReview(page, cashier)
})

test('a request without an answer in one tab is sent by the other tab under the same key', async ({
  page,
  stack,
  user,
  consoleFaults,
}) => {
  const { other, inOtherTab } = await openOtherTab(page)
  await loseNextAnswer(page)
  const keys = requestedKeys(page)
  const cashier = new Cashier(page)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.alert()).toContainText('the same request is never sent twice')
  expect(await sandboxPayoutsOf(stack, user)).toHaveLength(1)
  await other.bringToFront()
  await inOtherTab.withdraw.send()
  await expect(inOtherTab.withdraw.outcome().or(inOtherTab.withdraw.sendAgain())).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(await sandboxPayoutsOf(stack, user)).toHaveLength(1)
  consoleFaults.length = 0
})

test('if one tab has shown the outcome, the other tab asks before it sends', async ({
  page,
  stack,
  user,
  consoleFaults,
}) => {
  const { other, inOtherTab } = await openOtherTab(page)
  const cashier = new Cashier(page)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  await other.bringToFront()
  await inOtherTab.withdraw.send()
  await expect(inOtherTab.withdraw.sendAgain().or(inOtherTab.withdraw.outcome())).toBeVisible()
  await expect(inOtherTab.withdraw.sendAgain()).toBeVisible()
  expect(await sandboxPayoutsOf(stack, user)).toHaveLength(1)
  consoleFaults.length = 0
})
