/** A browser that lets no page copy, as in a frame without permission: each copy button says so, and selects the text. */
import type { Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const WORDS = 'Copying is blocked here. The text is selected: copy it with your keyboard or a long press.'

/** Two ways to have no clipboard; the older command to copy is refused besides. */
const CLIPBOARDS = {
  refused: () => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    Object.assign(document, { execCommand: () => false })
  },
  missing: () => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    Object.assign(document, { execCommand: () => false })
  },
}

const selected = (page: Page): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '')

/** Presses the button; the words stand beside it, are announced, and `text` is selected. */
async function expectSelected(
  page: Page,
  { button, within, text }: Record<'button' | 'within', Locator> & { text: string },
) {
  await expect(within.getByText(WORDS)).toHaveCount(0)
  await button.click()
  await expect(within.getByText(WORDS)).toBeVisible()
  await expect(page.getByTestId('announcements')).toContainText(WORDS)
  expect(await selected(page)).toBe(text)
}

for (const [name, withoutClipboard] of Object.entries(CLIPBOARDS))
  test.describe(name, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(withoutClipboard)
    })

    test('the deposit address', async ({ page, openCashier }) => {
      await openCashier()
      const { deposit } = new Cashier(page)
      const text = await deposit.address()
      await expectSelected(page, { button: deposit.copy(), within: page.getByRole('main'), text })
      await expect(deposit.copy()).toBeVisible()
    })

    test('a transaction’s details', async ({ page, stack, user, openCashier }) => {
      await openCashier()
      await fund(stack, user, '10')
      const cashier = new Cashier(page)
      const { history } = cashier
      await cashier.goTo('History')
      await history.rows().first().click()
      const details = history.details()
      for (const field of ['To', 'Transaction hash', 'Transaction reference']) {
        const within = details.locator('dl > div').filter({ has: page.getByText(field, { exact: true }) })
        const text = (await within.locator('bdi').innerText()).replaceAll(/\s/g, '')
        const button = details.getByRole('button', { name: `Copy: ${field}` })
        await expectSelected(page, { button, within, text })
      }
    })

    test('the reference beside a fault', async ({ page, stack, user, openCashier }) => {
      await openCashier()
      await fund(stack, user, '100')
      const cashier = new Cashier(page)
      await cashier.pick('USDT', 'Tron')
      await cashier.goTo('Withdraw')
      await expect(cashier.balance).toContainText('100 USDT')
      await cashier.withdraw.all('30.0704', TRON_ADDRESS)
      await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
      const within = page.getByTestId('reference')
      const button = within.getByRole('button', { name: 'Copy: Reference to quote' })
      await expectSelected(page, { button, within, text: await within.locator('bdi').innerText() })
    })
  })
