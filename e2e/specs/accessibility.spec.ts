import axe from 'axe-core'
import type { Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'

/** axe is injected by the debugger, which ignores the page's Content-Security-Policy. */
async function violations(page: Page): Promise<readonly string[]> {
  // A navigation replaces the title a moment after the screen.
  await expect(page).toHaveTitle(/./)
  await page.evaluate(axe.source)
  const results = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    return inPage.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      iframes: false,
    })
  })
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

const APPEARANCES = [
  { name: 'light', locale: 'en', theme: 'light' },
  { name: 'dark', locale: 'en', theme: 'dark' },
  { name: 'Arabic', locale: 'ar', theme: 'light' },
] as const

for (const { name, locale, theme } of APPEARANCES) {
  test(`axe finds no violation on any screen or dialog: ${name}`, async ({ page, stack, user, openCashier }) => {
    test.slow()
    await openCashier({ locale, theme })
    await fund(stack, user, '20')
    const base = page.url().replace(/\/deposit.*/, '')
    await expect(page.getByTestId('deposit')).toBeVisible()
    await expect(page.getByTestId('qr').locator('svg')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await page.getByTestId('currency-button').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    for (const flow of ['withdraw', 'buy', 'history']) {
      await page.goto(`${base}/${flow}`)
      await expect(page.getByTestId('loading')).toBeHidden()
      await expect(page.getByTestId('balance')).toBeVisible()
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole('button', { name: /20/ }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await page.goto(`${base}/withdraw`)
    await page.locator('#withdraw-amount').fill('5')
    await page.locator('#withdraw-address').fill(TRON_ADDRESS)
    await page.getByTestId('withdraw-form').locator('button[type=submit]').click()
    await expect(page.getByTestId('withdraw-review')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('withdraw-review').getByRole('button').last().click()
    await expect(page.getByTestId('withdraw-outcome')).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}

/** A wide font; the letter spacing makes text wide on machines without it too. The CSP allows constructed style sheets. */
const useWideFont = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { font-family: Verdana, "DejaVu Sans", sans-serif !important; letter-spacing: 0.06em !important }',
    )
    document.adoptedStyleSheets = [sheet]
  })

/** Boxes and lines of text that are wider than their row, card or page. */
const overflows = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const CONTAINERS = '.page, [role="dialog"], button, a, .rounded-card, .pill, .notice'
    const isOutside = ({ left, right, width }: DOMRect, container: Element): boolean => {
      const box = container.getBoundingClientRect()
      return width > 1 && box.width > 1 && (left < box.left - 1 || right > box.right + 1)
    }
    const containersOf = (element: Element): Element[] => {
      const container = element.closest(CONTAINERS)
      return container ? [container, ...(container.parentElement ? containersOf(container.parentElement) : [])] : []
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
        return containersOf(element)
          .filter((container) => boxes.some((box) => isOutside(box, container)))
          .map((container) => `${element.outerHTML.slice(0, 160)} overflows ${container.outerHTML.slice(0, 160)}`)
      })
  })

const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar']

/** The part of the API's list that the test changes. */
interface TransactionList {
  readonly edges: readonly { readonly node: { readonly currency: object } }[]
}

const LONG_AMOUNT = '123456789012345678901234567890.123456'
const LONG_NETWORK = 'Anetworkwhosenamehasfortylettersandnogap'

/** Rows with a long network name, and purchases with a long price. */
const serveLongRows = (page: Page): Promise<unknown> =>
  page.route('**/api/cashier/transactions?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as TransactionList
    const edges = list.edges.map((edge, at) => {
      const paid = { session_reference: `s${at}`, from_amount: LONG_AMOUNT, from_currency: 'EUR' }
      const currency = { ...edge.node.currency, network: LONG_NETWORK }
      return { ...edge, node: { ...edge.node, currency, ...(at % 2 === 1 && paid) } }
    })
    await route.fulfill({ response, json: { ...list, edges } })
  })

for (const locale of LOCALES)
  test(`at 320 px nothing overflows its row, its card or the page: ${locale}`, async ({
    page,
    stack,
    user,
    openCashier,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await openCashier({ locale })
    await fund(stack, user, '123456.123456')
    await expect(page.getByTestId('live-deposits')).toBeVisible()
    const base = page.url().replace(/\/deposit.*/, '')
    for (const flow of ['deposit', 'withdraw', 'buy', 'history']) {
      await page.goto(`${base}/${flow}`)
      await expect(page.getByTestId('loading')).toBeHidden()
      if (flow === 'deposit') await expect(page.getByTestId('deposit')).toBeVisible()
      if (flow === 'history') await expect(page.getByTestId('transaction')).toBeVisible()
      expect(await overflows(page), flow).toEqual([])
      await useWideFont(page)
      expect(await overflows(page), `${flow}, wide font`).toEqual([])
    }
    await serveLongRows(page)
    await fund(stack, user, LONG_AMOUNT)
    const rows = page.getByTestId('transaction')
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: LONG_NETWORK })).toHaveCount(2)
    expect(await overflows(page), 'long rows').toEqual([])
    await rows.first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await overflows(page), 'details').toEqual([])
  })
