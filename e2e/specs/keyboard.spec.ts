import type { Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** Presses Tab until the element has the focus; fails after too many. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target).toBeInViewport()
      return
    }
    await page.keyboard.press(key)
  }
  throw new Error(`the focus never came to ${String(target)}`)
}

const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

test('a withdrawal and its history entry, with the keyboard alone', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const cashier = new Cashier(embedded)
  const link = (name: string): Locator => embedded.getByRole('navigation').getByRole('link', { name })
  await openCashier()
  await fund(stack, user, '50')
  await page.keyboard.press('Tab')
  await expect(embedded.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')

  await press(page, embedded.getByRole('button', { name: /^Currency: / }))
  await expect(embedded.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('usdt tron')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(embedded.getByRole('button', { name: /^Currency: USDT .* on Tron$/ })).toBeFocused()
  await expect(cashier.balance).toContainText('50')

  await tabTo(page, link('Withdraw'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, embedded.getByLabel('Amount'))
  await page.keyboard.type('12.5')
  await tabTo(page, embedded.getByLabel('To address'))
  await page.keyboard.type(TRON_ADDRESS)
  await press(page, embedded.getByRole('button', { name: 'Review' }))
  await expect(embedded.getByRole('heading', { name: 'Check before you send' })).toBeFocused()
  await press(page, embedded.getByRole('button', { name: /^Send / }))
  await expect(cashier.withdraw.outcome()).toContainText('Processing')

  await tabTo(page, link('History'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const row = cashier.history.rows().filter({ hasText: '12.5' })
  await press(page, row)
  await expect(cashier.history.details()).toContainText(TRON_ADDRESS)
  // The dialog traps the focus and returns it. Its last element has the focus for a moment before the first gets it.
  const hasFocus = () => cashier.history.details().evaluate((dialog) => dialog.contains(document.activeElement))
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(hasFocus).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(cashier.history.details()).toBeHidden()
  await expect(row).toBeFocused()
})

test('a purchase is started with the keyboard alone, and no screen traps the focus', async ({
  page,
  openCashier,
  embedded,
}) => {
  await openCashier()
  for (const flow of ['Deposit', 'Withdraw', 'History', 'Buy'] as const) {
    await page.keyboard.press('Home')
    await press(page, embedded.getByRole('navigation').getByRole('link', { name: flow }))
    await expect(embedded.getByRole('heading', { level: 1, name: flow })).toBeAttached()
    await expect(embedded.getByTestId('loading')).toBeHidden()
    // Moves through all elements and back to the tab.
    await page.keyboard.press('Tab')
    await tabTo(page, embedded.getByRole('navigation').getByRole('link', { name: flow }))
  }
  await tabTo(page, embedded.getByLabel('You pay'))
  await page.keyboard.type('150')
  await tabTo(page, embedded.getByLabel('Country'))
  await page.keyboard.type('Germ')
  await press(page, embedded.getByRole('button', { name: 'Continue to payment' }))
  await expect(embedded.locator('iframe')).toBeVisible()
})
