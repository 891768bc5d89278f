/**
 * A browser that refuses access to the clipboard, as in a frame without permission. Each copy button says so and
 * selects the text. Paste is not shown if the browser announces the refusal; otherwise it says what to do instead.
 */
import type { FrameLocator, Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { HostPage } from '../views/host-page.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

const WORDS = 'Copying is blocked here. The text is selected: copy it with your keyboard or a long press.'
const PASTE_WORDS = 'Pasting is blocked here. Press and hold the field, or use your keyboard.'

/** Two ways to have no clipboard; the older copy command is refused too. */
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

const selected = (page: Page): Promise<string> => frameOf(page).evaluate(() => getSelection()?.toString() ?? '')

/** Presses the button and expects the words beside it, their announcement, and that `text` is selected. */
async function expectSelected(
  page: Page,
  { button, within, text }: Record<'button' | 'within', Locator> & { text: string },
) {
  await expect(within.getByText(WORDS)).toHaveCount(0)
  await button.click()
  await expect(within.getByText(WORDS)).toBeVisible()
  await expect(cashierIn(page).getByTestId('announcements')).toContainText(WORDS)
  expect(await selected(page)).toBe(text)
}

/** Expects Paste to say what to do instead, also beside an error, until the address is typed. */
async function expectPasteRefused(cashier: FrameLocator): Promise<void> {
  const paste = cashier.getByRole('button', { name: 'Paste' })
  const field = cashier.getByLabel('To address')
  const note = cashier.locator('#withdraw-address-note')
  await expect(note).toHaveText('')
  await paste.click()
  await expect(note).toHaveText(PASTE_WORDS)
  await expect(field).toHaveAccessibleDescription(PASTE_WORDS)
  await expect(field).toHaveValue('')

  await cashier.getByLabel('Amount').fill('1')
  await cashier.getByRole('button', { name: 'Review' }).click()
  await expect(note).toHaveText(`Enter an address. ${PASTE_WORDS}`)
  await field.fill(TRON_ADDRESS)
  await expect(note).toHaveText('This is a valid Tron address.')
}

for (const [name, withoutClipboard] of Object.entries(CLIPBOARDS))
  test.describe(name, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(withoutClipboard)
    })

    test('the deposit address', async ({ page, embedded, openCashier }) => {
      await openCashier()
      const { deposit } = new Cashier(embedded)
      const text = await deposit.address()
      await expectSelected(page, { button: deposit.copy(), within: embedded.getByRole('main'), text })
      await expect(deposit.copy()).toBeVisible()
    })

    test('a transaction’s details', async ({ page, embedded, stack, user, openCashier }) => {
      await openCashier()
      await fund(stack, user, '10')
      const cashier = new Cashier(embedded)
      const { history } = cashier
      await cashier.goTo('History')
      await history.rows().first().click()
      const details = history.details()
      for (const field of ['To', 'Transaction hash', 'Transaction reference']) {
        const within = details.locator('dl > div').filter({ has: embedded.getByText(field, { exact: true }) })
        const text = (await within.locator('bdi').innerText()).replaceAll(/\s/g, '')
        const button = details.getByRole('button', { name: `Copy: ${field}` })
        await expectSelected(page, { button, within, text })
      }
    })

    test('the reference beside an error', async ({ page, embedded, openWithdrawForm }) => {
      const cashier = await openWithdrawForm('100')
      await expect(cashier.balance).toContainText('100 USDT')
      await cashier.withdraw.all('30.0704', TRON_ADDRESS)
      await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
      const within = embedded.getByTestId('reference')
      const button = within.getByRole('button', { name: 'Copy: Reference to quote' })
      await expectSelected(page, { button, within, text: await within.locator('bdi').innerText() })
    })
  })

test('refused only at the press: pasting an address', async ({ page, embedded, context, openWithdrawForm }) => {
  await context.grantPermissions(['clipboard-read'])
  await page.addInitScript(CLIPBOARDS.refused)
  await openWithdrawForm(undefined)
  await expectPasteRefused(embedded)
})

const KNOWN_BEFORE = {
  'no clipboard': CLIPBOARDS.missing,
  'no API to read it': () => Object.defineProperty(navigator.clipboard, 'readText', { value: undefined }),
  'a user who has denied it': () => {
    Object.assign(navigator.permissions, { query: () => Promise.resolve({ state: 'denied' }) })
  },
}
for (const [name, withoutClipboard] of Object.entries(KNOWN_BEFORE))
  test(`${name}: Paste is not shown`, async ({ page, embedded, context, openWithdrawForm }) => {
    await context.grantPermissions(['clipboard-read'])
    await page.addInitScript(withoutClipboard)
    await openWithdrawForm(undefined)
    await expect(embedded.getByRole('button', { name: 'Review' })).toBeVisible()
    await expect(embedded.getByRole('button', { name: 'Paste' })).toHaveCount(0)
  })

for (const [policy, shown] of [
  ['*', 'is shown and works'],
  ['()', 'is not shown'],
] as const)
  test(`in a frame whose page sends clipboard-read=${policy}, Paste ${shown}`, async ({
    page,
    context,
    stack,
    createSession,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const host = await HostPage.onMerchant(page, stack, {
      token: async () => (await createSession({ flows: ['withdraw'] })).launch_token,
      headers: { 'Permissions-Policy': `clipboard-read=${policy}` },
    })
    await host.mount('cashier')
    await host.ready('cashier')
    const cashier = host.cashier('cashier')
    await new Cashier(cashier).pick('USDT', 'Tron')
    const paste = cashier.getByRole('button', { name: 'Paste' })
    if (policy === '()') {
      await expect(paste).toHaveCount(0)
      return
    }
    await page.evaluate((text) => navigator.clipboard.writeText(text), TRON_ADDRESS)
    await paste.click()
    await expect(cashier.getByLabel('To address')).toHaveValue(TRON_ADDRESS)
  })

for (const may of [true, false])
  test(`Share is ${may ? 'shown if' : 'not shown unless'} the browser can share`, async ({
    page,
    embedded,
    openCashier,
  }) => {
    await page.addInitScript((can) => {
      Object.assign(navigator, { share: () => Promise.resolve(), canShare: () => can })
    }, may)
    await openCashier()
    const { deposit } = new Cashier(embedded)
    await deposit.address()
    await expect(deposit.copy()).toBeEnabled()
    await expect(embedded.getByRole('button', { name: 'Share address' })).toHaveCount(may ? 1 : 0)
  })

test('if the page may read the clipboard: pasting an address', async ({
  page,
  embedded,
  context,
  openWithdrawForm,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openWithdrawForm(undefined)
  await page.evaluate((text) => navigator.clipboard.writeText(text), ` ${TRON_ADDRESS}\n`)
  await embedded.getByRole('button', { name: 'Paste' }).click()
  await expect(embedded.getByLabel('To address')).toHaveValue(TRON_ADDRESS)
  await expect(embedded.getByText('This is a valid Tron address.')).toBeVisible()
  await expect(embedded.getByText(PASTE_WORDS)).toHaveCount(0)
})
