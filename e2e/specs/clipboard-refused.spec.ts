/**
 * A browser that gives no page the clipboard, as in a frame without permission: each copy button says so and selects the
 * text, and Paste says what to do instead.
 */
import type { Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const WORDS = 'Copying is blocked here. The text is selected: copy it with your keyboard or a long press.'
const PASTE_WORDS = 'Pasting is blocked here. Press and hold the field, or use your keyboard.'

/** Two ways to have no clipboard; the older command to copy is refused besides. */
const CLIPBOARDS = {
  refused: () => {
    const refuse = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { writeText: refuse, readText: refuse })
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

/** Paste says what to do instead, beside a fault too, until the address is typed. */
async function expectPasteRefused(page: Page): Promise<void> {
  const paste = page.getByRole('button', { name: 'Paste' })
  const field = page.getByLabel('To address')
  const note = page.locator('#withdraw-address-note')
  await expect(note).toHaveText('')
  await paste.click()
  await expect(note).toHaveText(PASTE_WORDS)
  await expect(field).toHaveAccessibleDescription(PASTE_WORDS)
  await expect(field).toHaveValue('')

  await page.getByLabel('Amount').fill('1')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(note).toHaveText(`Enter an address. ${PASTE_WORDS}`)
  await field.fill(TRON_ADDRESS)
  await expect(note).toHaveText('The address fits Tron.')
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

    test('the reference beside a fault', async ({ page, openWithdrawForm }) => {
      const cashier = await openWithdrawForm('100')
      await expect(cashier.balance).toContainText('100 USDT')
      await cashier.withdraw.all('30.0704', TRON_ADDRESS)
      await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
      const within = page.getByTestId('reference')
      const button = within.getByRole('button', { name: 'Copy: Reference to quote' })
      await expectSelected(page, { button, within, text: await within.locator('bdi').innerText() })
    })

    test('pasting an address', async ({ page, openWithdrawForm }) => {
      await openWithdrawForm()
      await expectPasteRefused(page)
    })
  })

test('only reading is missing: pasting an address', async ({ page, openWithdrawForm }) => {
  await page.addInitScript(() => Object.defineProperty(navigator.clipboard, 'readText', { value: undefined }))
  await openWithdrawForm()
  await expectPasteRefused(page)
})

test('where the page may read: pasting an address', async ({ page, context, openWithdrawForm }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openWithdrawForm()
  await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${TRON_ADDRESS}\n`)
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(page.getByLabel('To address')).toHaveValue(TRON_ADDRESS)
  await expect(page.getByText('The address fits Tron.')).toBeVisible()
  await expect(page.getByText(PASTE_WORDS)).toHaveCount(0)
})
