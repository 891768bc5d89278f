/** The currency picker in the merchant's frame, on a phone, in a scrolled page. */
import type { Page } from 'playwright/test'
import { currencyOf, fund } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { ScrolledHost } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 } })

async function openScrolled(page: Page, stack: Stack, token: () => Promise<string>) {
  const { cashier: frame } = await ScrolledHost.open(page, stack, token)
  const cashier = new Cashier(frame)
  await cashier.deposit.address()
  const button = frame.getByTestId('currency-button')
  /** Scrolls the button into view and returns the scroll position of the merchant's page. */
  const scrolled = async (): Promise<number> => {
    await button.scrollIntoViewIfNeeded()
    return page.evaluate(() => scrollY)
  }
  const options = frame.getByRole('option')
  return { cashier, frame, button, options, scrolled, chosen: frame.getByRole('option', { selected: true }) }
}

test('it starts at the chosen row and announces it, Enter changes nothing, and currencies with a balance come first', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const { cashier, frame, button, options, scrolled, chosen } = await openScrolled(
    page,
    stack,
    async () => (await createSession()).launch_token,
  )
  const last = (await stack.sandbox.control.currencies()).at(-1)
  if (!last) throw new Error('the sandbox has no currencies')
  await cashier.pick(last.code, last.network)
  // As in a visit without a choice, the currency is the last in a long list.
  const reloaded = page.waitForEvent('framenavigated')
  await frame.locator('body').evaluate(() => {
    localStorage.clear()
    setTimeout(() => location.reload())
  })
  await reloaded
  await cashier.deposit.address()
  const name = await button.innerText()
  await expect(frame.locator('.page')).toHaveAttribute('data-scripts', 'on')

  const before = await scrolled()
  await button.click()
  await expect(frame.getByRole('combobox')).toBeFocused()
  await expect(chosen).toHaveAttribute('data-highlighted', '')
  await expect(chosen).toBeInViewport({ ratio: 1 })
  await expect(frame.getByRole('combobox')).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('Enter')
  await expect(frame.getByRole('dialog')).toBeHidden()
  expect(await page.evaluate(() => scrollY)).toBe(before)
  expect(await button.innerText()).toBe(name)

  await fund(stack, user, '3', 'DAI', 'Ethereum')
  await fund(stack, user, '10', 'USDT', 'Tron')
  const groups = frame.getByRole('listbox').getByRole('group')
  const own = groups.filter({ hasText: 'Your currencies' }).getByRole('option')
  // The list has the balances of when it opened.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await button.click({ timeout: 1000 })
    await expect(own).toHaveCount(2, { timeout: 1000 })
  }).toPass()
  await expect(groups.first().getByRole('option')).toHaveCount(2)
  await expect(options.nth(0)).toHaveAttribute('data-testid', `currency-${await currencyOf(stack, 'DAI', 'Ethereum')}`)
  await expect(options.nth(1)).toHaveAttribute('data-testid', `currency-${await currencyOf(stack, 'USDT', 'Tron')}`)
  await expect(options.nth(0).getByText('3', { exact: true })).toBeVisible()
  await expect(options.nth(1).getByText('10', { exact: true })).toBeVisible()
  await frame.getByRole('combobox').fill('trc20')
  await expect(options.first()).toContainText('Tron')
})

test('a name that equals its network is announced once, and the native coin of a network has no badge', async ({
  page,
  stack,
  createSession,
}) => {
  const { cashier, button } = await openScrolled(page, stack, async () => (await createSession()).launch_token)
  await cashier.pick('BTC', 'Bitcoin')
  await expect(button).toHaveText(/BTC\s*Bitcoin$/)
  await expect(button.locator('[aria-hidden] > svg')).toHaveCount(1)
  await cashier.pick('USDT', 'Tron')
  await expect(button.locator('[aria-hidden] > svg')).toHaveCount(2)
})
