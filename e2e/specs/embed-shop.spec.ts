import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** The events that the shop's page received, newest first. */
const events = (page: Page) => page.locator('#log li')

async function openShop(page: Page, url: string, query: string): Promise<void> {
  await page.goto(`${url}/?${query}`)
  await expect(events(page).filter({ hasText: '"ready"' })).toHaveCount(1)
}

test('a deposit arrives live in the shop, from the blockchain to the balance', async ({ page, stack, user }) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  await openShop(page, stack.merchant.url, `user=${user}`)
  const cashier = page.frameLocator('#cashier iframe')
  const { control } = stack.sandbox
  const [currency] = await control.currencies()
  if (!currency) throw new Error('the sandbox has no currency')

  const uuid = await control.detectDeposit({
    user_reference: user,
    currency_id: currency.id,
    amount: '12.345678901234567',
  })

  const feed = page.getByRole('list', { name: 'Merchant feed' })
  const amount = `12.345678901234567 ${currency.code}`
  await expect(cashier.getByText('12.345678901234567').first()).toBeVisible()
  await expect(feed.getByText(`Deposit ${amount}`)).toHaveCount(1)

  await control.confirmDeposit(uuid)

  await expect(feed.getByText('succeeded')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Balances' })).toContainText(amount)
  await expect(events(page).filter({ hasText: uuid }).filter({ hasText: 'succeeded' })).toHaveCount(1)
})

test('theme and language follow the shop; another player gets another session', async ({ page, stack }) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  await openShop(page, stack.merchant.url, 'user=player-mira&theme=light')
  const html = page.frameLocator('#cashier iframe').locator('html')
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('Language').selectOption('ja')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(html).toHaveAttribute('lang', 'ja')
  await expect(page).toHaveURL(/theme=dark/)

  const before = page.frames().at(-1)?.url()
  await page.getByLabel('Player').selectOption('Jonas Lind')
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/\/c\//)
  await expect.poll(() => page.frames().at(-1)?.url()).not.toBe(before)
  await expect(html).toHaveAttribute('lang', 'ja')
})

test('a user can close the cashier and open it again', async ({ page, stack, user }) => {
  await openShop(page, stack.merchant.url, `user=${user}`)
  const cashier = page.frameLocator('#cashier iframe')
  await cashier.getByRole('button', { name: 'Close the cashier' }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open the cashier' }).click()
  await expect(cashier.getByRole('link', { name: 'Deposit' })).toBeVisible()
})

test('the shop spends a deposit, and never more', async ({ page, stack, user }) => {
  const usdt = (await stack.sandbox.control.currencies()).find(({ code }) => code === 'USDT')
  if (!usdt) throw new Error('the sandbox has no USDT')
  await stack.cashier.api.createSession({ user_reference_id: user })
  const uuid = await stack.sandbox.control.detectDeposit({ user_reference: user, currency_id: usdt.id, amount: '7' })
  await stack.sandbox.control.confirmDeposit(uuid)
  await openShop(page, stack.merchant.url, `user=${user}`)
  const balances = page.getByRole('list', { name: 'Balances' })
  await expect(balances).toContainText('7 USDT')

  await page.getByRole('button', { name: 'Buy for 5 USDT' }).click()
  await expect(page.getByText('It is yours.')).toBeVisible()
  await expect(balances).toContainText('2 USDT')
})
