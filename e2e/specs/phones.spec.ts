import { devices, type Frame, type Locator, type Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf, untilPressable } from '../views/scrolled-host.ts'

/** The smallest Android and iPhone of Playwright's list; the engine stays Chromium. */
const PHONES = ['Galaxy S8', 'Galaxy S8 landscape', 'iPhone SE', 'iPhone SE landscape'] as const

const overflow = (frame: Page | Frame): Promise<number> =>
  frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** A tap while the browser still scrolls would reach what is at that place of the screen. */
async function tapSeen(target: Locator): Promise<void> {
  await untilPressable(target)
  await target.tap()
}

for (const phone of PHONES)
  test.describe(phone, () => {
    const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices[phone]
    test.use({ viewport, userAgent, deviceScaleFactor, isMobile, hasTouch })

    test('a withdrawal by touch, and nothing overflows the screen', async ({
      page,
      embedded,
      stack,
      user,
      openCashier,
    }) => {
      await openCashier()
      await fund(stack, user, '10')
      const cashier = new Cashier(embedded)
      await cashier.deposit.address()
      expect(await overflow(frameOf(page))).toBe(0)
      await embedded.getByRole('button', { name: /^Currency: / }).tap()
      const dialog = embedded.getByRole('dialog', { name: 'Choose a currency' })
      await dialog.getByRole('combobox').fill('USDT')
      await dialog.getByRole('option', { name: /USDT.*Tron/s }).tap()
      await expect(dialog).toBeHidden()

      await embedded.getByRole('navigation').getByRole('link', { name: 'Withdraw' }).tap()
      await expect(cashier.balance).toContainText('10')
      await cashier.withdraw.fill('4', TRON_ADDRESS)
      expect(await overflow(frameOf(page))).toBe(0)
      await embedded.getByRole('button', { name: 'Review' }).tap()
      await tapSeen(embedded.getByRole('button', { name: /^Send / }))
      await expect(cashier.withdraw.outcome()).toContainText('Processing')
      expect(await overflow(frameOf(page))).toBe(0)

      await tapSeen(embedded.getByRole('navigation').getByRole('link', { name: 'History' }))
      await expect(cashier.history.rows()).toHaveCount(2)
      expect(await overflow(frameOf(page))).toBe(0)
    })
  })

/** A phone with a notch in both orientations, with the covered areas. */
const NOTCH = {
  upright: { viewport: { width: 390, height: 844 }, insets: { top: 47, right: 0, bottom: 34, left: 0 } },
  'on its side': { viewport: { width: 844, height: 390 }, insets: { top: 0, right: 47, bottom: 21, left: 47 } },
} as const

const NO_INSETS = { top: 0, right: 0, bottom: 0, left: 0 }
type Insets = Record<'top' | 'right' | 'bottom' | 'left', number>

async function coverEdges(page: Page, insets: Insets): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
}

/** Elements to read or press that reach into the covered edges after scrolling to each of them. */
const coveredElements = (page: Page, insets: Insets): Promise<string[]> =>
  page.evaluate(({ top, right, bottom, left }) => {
    const covered: string[] = []
    for (const element of document.querySelectorAll('a, button, input, textarea, select, h2, p, dd, [role=option]')) {
      if (element.closest('.sr-only') !== null) continue
      element.scrollIntoView({ block: 'center' })
      const box = element.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1) continue
      const { clientWidth, clientHeight } = document.documentElement
      const outside =
        box.left < left || box.right > clientWidth - right || box.top < top || box.bottom > clientHeight - bottom
      if (outside) covered.push(`${element.outerHTML.slice(0, 120)} ${JSON.stringify(box)}`)
    }
    return covered
  }, insets)

/** A dialog lies within the screen and its margins, and shows its last element by scrolling inside. */
async function expectWithin(page: Page, dialog: Locator, last: Locator, insets: Insets): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect
    .poll(async () => {
      const box = (await dialog.boundingBox()) ?? { x: 0, y: -1, width: 0, height: 0 }
      return (
        box.x >= insets.left &&
        box.y >= insets.top &&
        box.x + box.width <= width - insets.right &&
        box.y + box.height <= height - insets.bottom
      )
    })
    .toBe(true)
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
}

// At top level, because a browser does not report the covered areas to a frame.
for (const [held, { viewport, insets }] of Object.entries(NOTCH))
  test.describe(`a notch, ${held}`, () => {
    test.use({ viewport, isMobile: true, hasTouch: true })

    test('covers nothing of a page or a dialog', async ({ page, stack, user, openOnTop }) => {
      await coverEdges(page, insets)
      await openOnTop()
      await fund(stack, user, '10')
      const cashier = new Cashier(page)
      await cashier.deposit.address()
      await cashier.pick('USDT', 'Tron')
      await expect(cashier.deposit.qr().locator('svg')).toBeVisible()
      for (const [edge, inset] of Object.entries(insets))
        await expect(page.locator('body')).toHaveCSS(`padding-${edge}`, `${inset}px`)
      expect(await coveredElements(page, insets)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.getByTestId('currency-button').tap()
      const picker = page.getByRole('dialog', { name: 'Choose a currency' })
      await expectWithin(page, picker, picker.getByRole('option').last(), insets)
      await page.getByRole('button', { name: 'Close', exact: true }).tap()
      await cashier.goTo('Withdraw')
      await cashier.withdraw.all('4', TRON_ADDRESS)
      await expect(cashier.withdraw.outcome()).toContainText('Processing')
      expect(await coveredElements(page, insets)).toEqual([])

      await cashier.goTo('History')
      await cashier.history.rows().first().tap()
      const details = cashier.history.details()
      await expectWithin(page, details, details.getByTestId('support'), insets)
    })
  })

test.describe('a phone on its side', () => {
  test.use({ viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true })

  test('dialogs are no higher than the screen', async ({ embedded, openCashier }) => {
    await openCashier()
    await embedded.getByTestId('currency-button').tap()
    const picker = embedded.getByRole('dialog', { name: 'Choose a currency' })
    await expect(picker).toBeVisible()
    await expect.poll(async () => (await picker.boundingBox())?.height ?? 999).toBeLessThanOrEqual(390)
    await picker.getByRole('option').last().tap()
    await expect(picker).toBeHidden()
  })
})

for (const { name, closed, open } of [
  { name: 'upright', closed: { width: 390, height: 844 }, open: { width: 390, height: 400 } },
  { name: 'on its side', closed: { width: 844, height: 390 }, open: { width: 844, height: 160 } },
])
  test.describe(`above an open keyboard, ${name}`, () => {
    test.use({ viewport: closed, isMobile: true, hasTouch: true })

    test('fields and what follows them can be reached', async ({ page, embedded, stack, user, openCashier }) => {
      await openCashier()
      await fund(stack, user, '10')
      const cashier = new Cashier(embedded)
      await embedded.getByTestId('currency-button').tap()
      const picker = embedded.getByRole('dialog', { name: 'Choose a currency' })
      const search = picker.getByRole('combobox')
      await search.tap()
      await page.setViewportSize(open)
      await expect(search).toBeFocused()
      await search.fill('USDT')
      await search.scrollIntoViewIfNeeded()
      await expect(search).toBeInViewport({ ratio: 1 })
      await expectWithin(page, picker, picker.getByRole('option', { name: /Tron/ }), NO_INSETS)
      await picker.getByRole('option', { name: /Tron/ }).tap()
      await expect(picker).toBeHidden()

      await page.setViewportSize(closed)
      await cashier.goTo('Withdraw')
      await expect(cashier.balance).toContainText('10 USDT')
      await embedded.getByLabel('To address').fill(TRON_ADDRESS)
      const amount = embedded.getByLabel('Amount')
      await amount.tap()
      await page.setViewportSize(open)
      await expect(amount).toBeFocused()
      // A phone's browser does so for its keyboard, of which an emulated phone has none.
      await amount.scrollIntoViewIfNeeded()
      await expect(amount).toBeInViewport({ ratio: 1 })
      await page.keyboard.type('4')
      const review = embedded.getByRole('button', { name: 'Review' })
      await review.scrollIntoViewIfNeeded()
      await expect(review).toBeInViewport({ ratio: 1 })
      await review.tap()
      await cashier.withdraw.send()
      await expect(cashier.withdraw.outcome()).toContainText('Processing')
    })
  })
