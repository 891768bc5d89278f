/** The console's page of a user. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/console-test.ts'
import { depositOf, foreignPayout, withdrawalOf } from '../fixtures/story-rows.ts'
import { violations } from '../fixtures/violations.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Opens the page of a user and waits until the balance is there. */
async function openUser(page: Page, user: string, balance: string): Promise<void> {
  await expect(async () => {
    await page.goto(`/operate/users/${user}`)
    await expect(part(page, 'Balances')).toContainText(balance, { timeout: 5000 })
  }).toPass({ timeout: 60_000 })
}

test('what a user holds and did, with the balance after each entry', async ({ page, stack, user, signIn }) => {
  await withdrawalOf(stack, user, '10')
  await signIn('viewer')
  await openUser(page, user, '190 USDT')
  await expect(part(page, 'Withdrawals')).toContainText('10 USDT')
  await expect(part(page, 'Transactions')).toContainText('Deposit')
  await expect(part(page, 'Sessions')).toContainText('In use')
  // A viewer sees, and does nothing.
  for (const name of ['Check now', 'End all', 'Erase'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)

  await part(page, 'Statement').getByRole('button', { name: 'Show the entries' }).click()
  const rows = part(page, 'Statement').locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await expect(rows.last()).toContainText('200 USDT')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toBe(`statement-${user}.csv`)
  expect(await violations(page.mainFrame())).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page.mainFrame())).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.goto('/operate/users/nobody-at-all')
  await expect(page.getByRole('heading', { name: 'Nothing is stored about this user' })).toBeVisible()
})

test('an agent compares a user with the gateway now, with a reason', async ({ page, stack, user, signIn }) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  await depositOf(stack, user, '12')
  await signIn('agent')
  await openUser(page, user, '12 USDT')
  const totals = part(page, 'The gateway beside the books')
  await totals.getByRole('button', { name: 'Check now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Check now' }).click()
  await expect(dialog.getByText('Say why, in a few words.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('ticket 7')
  await dialog.getByRole('button', { name: 'Check now' }).click()
  await expect(totals.getByText('The gateway and the books agree.')).toBeVisible()

  await foreignPayout(stack, user)
  await totals.getByRole('button', { name: 'Check now' }).click()
  await dialog.getByLabel('Reason').fill('ticket 8')
  await dialog.getByRole('button', { name: 'Check now' }).click()
  await expect(totals.getByText('Payout without an owner:')).toBeVisible()
  await expect(part(page, 'In quarantine')).toContainText('Payout without an owner')
  expect(await violations(page.mainFrame())).toEqual([])
})

test('an agent ends one session, and the user’s page with it', async ({ page, stack, user, signIn, openOnTop }) => {
  const other = await page.context().newPage()
  await openOnTop({ user_reference_id: user }, other)
  await expect(other.getByRole('heading').first()).toBeVisible()
  await signIn('agent')
  await page.goto(`/operate/users/${user}`)
  await part(page, 'Sessions')
    .getByRole('button', { name: /^End session/ })
    .click()
  await page.getByRole('dialog').getByLabel('Reason').fill('stolen phone')
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await expect(part(page, 'Sessions')).toContainText('Ended')
  await expect(other.getByText(/session has ended/i).first()).toBeVisible({ timeout: 30_000 })
  expect(stack.cashier.url).toBe(new URL(page.url()).origin)
})

test('an admin erases a user after typing the reference, and reads what was kept', async ({
  page,
  stack,
  user,
  signIn,
}) => {
  await withdrawalOf(stack, user, '30.0704')
  await signIn('admin')
  await openUser(page, user, '169.9296 USDT')
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase this user' })
  await dialog.getByLabel('Reason').fill('asked for it')
  await dialog.getByLabel('Type the reference').fill('another')
  await dialog.getByRole('button', { name: 'Erase for ever' }).click()
  await expect(dialog.getByText('This is not the user’s reference.')).toBeVisible()
  await dialog.getByLabel('Type the reference').fill(user)
  await dialog.getByRole('button', { name: 'Erase for ever' }).click()
  await expect(dialog.getByText('Nothing was erased: this is open.')).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'withdrawal' })).toContainText('unknown')
  expect(await violations(page.mainFrame())).toEqual([])

  const settled = `settled-${user}`
  await stack.cashier.api.createSession({ user_reference_id: settled })
  await depositOf(stack, settled, '4')
  await openUser(page, settled, '4 USDT')
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await dialog.getByLabel('Reason').fill('asked for it')
  await dialog.getByLabel('Type the reference').fill(settled)
  await dialog.getByRole('button', { name: 'Erase for ever' }).click()
  await expect(page.getByRole('heading', { name: `${settled} is erased` })).toBeVisible()
  await expect(part(page, 'What was kept')).toContainText('4 USDT')
  expect(await violations(page.mainFrame())).toEqual([])
})
