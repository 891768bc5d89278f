/**
 * At 320 CSS pixels nothing runs out of its own card: in every language, with long names and amounts, in the widest of
 * the usual fonts, so that the fonts of the machine do not matter.
 */
import type { Page } from 'playwright/test'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { LONG_NETWORK, startRenamingGateway, type RenamingGateway } from '../fixtures/renaming-gateway.ts'
import type { StackOptions } from '../fixtures/stack.ts'
import { expect, test as base } from '../fixtures/test.ts'

const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar']
const LONG_AMOUNT = '123456789012345678901234567890.123456'

const test = base.extend<object, { gateway: RenamingGateway; stackOptions: StackOptions }>({
  gateway: [
    async ({}, use) => {
      const gateway = await startRenamingGateway()
      await use(gateway)
      await gateway.close()
    },
    { scope: 'worker' },
  ],
  stackOptions: [async ({ gateway }, use) => use({ cashier: { GATEWAY_BASE_URL: gateway.url } }), { scope: 'worker' }],
})

/** The letter spacing makes text wide on machines without these fonts too. The CSP allows constructed style sheets. */
const useWideFont = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { font-family: "DejaVu Sans", Verdana, sans-serif !important; letter-spacing: 0.06em !important }',
    )
    document.adoptedStyleSheets = [sheet]
  })

/** Makes every row of the list a purchase with a long price. */
const useLongPrices = (page: Page): Promise<unknown> =>
  page.route('**/api/cashier/transactions?*', async (route) => {
    const response = await route.fetch()
    const paid = `"session_reference":"s1","from_amount":"${LONG_AMOUNT}","from_currency":"EUR","type"`
    await route.fulfill({ response, body: (await response.text()).replaceAll('"type"', paid) })
  })

/** Boxes and lines of text that stick out of a card, row, button or field that they are in. */
const overflows = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const CONTAINERS = '.page, [role="dialog"], button, a, .rounded-card, .rounded-small, .pill, .notice'
    const isOutside = ({ left, right, width }: DOMRect, container: Element): boolean => {
      const box = container.getBoundingClientRect()
      return width > 1 && box.width > 1 && (left < box.left - 1 || right > box.right + 1)
    }
    const containersOf = (element: Element): Element[] => {
      const container = element.parentElement?.closest(CONTAINERS)
      return container ? [container, ...containersOf(container)] : []
    }
    return [...document.querySelectorAll('.page *, [role="dialog"] *')]
      .filter((element) => !element.closest('.sr-only, [class*="sr-only"], svg, option, [aria-hidden="true"]'))
      .flatMap((element) => {
        const lines = [...element.childNodes].flatMap((node) => {
          const range = document.createRange()
          range.selectNode(node)
          return node.nodeType === Node.TEXT_NODE ? [...range.getClientRects()] : []
        })
        const boxes = [element.getBoundingClientRect(), ...lines]
        const own = element.matches(CONTAINERS) ? [element] : []
        return [...own, ...containersOf(element)]
          .filter((container) => boxes.some((box) => isOutside(box, container)))
          .map((container) => `${element.outerHTML.slice(0, 160)} overflows ${container.outerHTML.slice(0, 160)}`)
      })
  })

for (const locale of LOCALES)
  test(`at 320 px nothing overflows its row, its card or the page: ${locale}`, async ({
    page,
    stack,
    gateway,
    user,
    openCashier,
  }) => {
    test.slow()
    gateway.target = stack.sandbox.url
    const tidy = async (where: string): Promise<void> => expect(await overflows(page), where).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    await useWideFont(page)
    await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 3 })
    await openCashier({ locale })
    await fund(stack, user, LONG_AMOUNT)
    await expect(page.getByTestId('live-deposits')).toBeVisible()
    const { origin, pathname } = new URL(page.url())

    await page.goto(`${origin}${pathname}?currency=${await currencyOf(stack, 'USDT', 'Tron')}`)
    await expect(page.getByTestId('currency-button')).toContainText(LONG_NETWORK)
    await expect(page.getByTestId('address')).toBeVisible()
    // In the list: just after the load, a stress run once found a second one outside of it.
    await expect(page.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
    await tidy('deposit')
    await page.getByTestId('currency-button').click()
    await expect(page.getByRole('option').filter({ hasText: LONG_NETWORK }).first()).toBeVisible()
    await tidy('currencies')
    await page.keyboard.press('Escape')

    await page.getByTestId('tab-withdraw').click()
    await page.locator('#withdraw-amount').fill(LONG_AMOUNT)
    await page.locator('#withdraw-address').fill(TRON_ADDRESS)
    await expect(page.locator('#withdraw-address-note')).toContainText(LONG_NETWORK)
    await tidy('withdraw')
    await page.getByTestId('withdraw-form').locator('button[type=submit]').click()
    await expect(page.getByTestId('withdraw-review')).toContainText(LONG_NETWORK)
    await tidy('review')
    await page.getByTestId('withdraw-review').getByRole('button').last().click()
    await expect(page.getByTestId('withdraw-outcome')).toBeVisible()
    await expect(page.getByTestId('reserved')).toBeVisible()
    await tidy('outcome')

    await page.getByTestId('tab-buy').click()
    await page.locator('#buy-amount').fill(LONG_AMOUNT)
    await page.getByTestId('buy-form').locator('button[type=submit]').click()
    await tidy('buy')

    await page.getByTestId('tab-history').click()
    const rows = page.getByTestId('transaction')
    await expect(rows.filter({ hasText: LONG_NETWORK }).first()).toBeVisible()
    await tidy('history')
    await useLongPrices(page)
    await fund(stack, user, LONG_AMOUNT)
    await expect(rows.filter({ hasText: 'EUR' }).first()).toBeVisible()
    await tidy('history with prices')
    await rows.first().click()
    await expect(page.getByTestId('details')).toBeVisible()
    await tidy('details')
    // A read that an event has caused may be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
