import { devices, type Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** The smallest Android and iPhone of Playwright's list; the engine stays Chromium. */
const PHONES = ['Galaxy S8', 'Galaxy S8 landscape', 'iPhone SE', 'iPhone SE landscape'] as const

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const phone of PHONES)
  test.describe(phone, () => {
    const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices[phone]
    test.use({ viewport, userAgent, deviceScaleFactor, isMobile, hasTouch })

    test('a withdrawal by touch, and nothing runs out of the screen', async ({ page, stack, user, openCashier }) => {
      await openCashier()
      await fund(stack, user, '10')
      const cashier = new Cashier(page)
      await cashier.deposit.address()
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: /^Currency: / }).tap()
      const dialog = page.getByRole('dialog', { name: 'Choose a currency' })
      await dialog.getByRole('combobox').fill('USDT')
      await dialog.getByRole('option', { name: /USDT.*Tron/s }).tap()
      await expect(dialog).toBeHidden()

      await page.getByRole('navigation').getByRole('link', { name: 'Withdraw' }).tap()
      await expect(cashier.balance).toContainText('10')
      await cashier.withdraw.fill('4', TRON_ADDRESS)
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: 'Review' }).tap()
      await page.getByRole('button', { name: /^Send / }).tap()
      await expect(cashier.withdraw.outcome()).toContainText('Processing')
      expect(await overflow(page)).toBe(0)

      await page.getByRole('navigation').getByRole('link', { name: 'History' }).tap()
      await expect(cashier.history.rows()).toHaveCount(2)
      expect(await overflow(page)).toBe(0)
    })
  })
